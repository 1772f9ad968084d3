// The world around the program, made the same in every run.
#ifndef TSLRT_LIBC_WORLD_H
#define TSLRT_LIBC_WORLD_H

void tslrt_world_begin(void); // files that stand for files of the system

#endif
