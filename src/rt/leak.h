// Blocks of the heap that the program can't reach any more.
#ifndef TSLRT_LEAK_H
#define TSLRT_LEAK_H

void tslrt_leak_check(void);

#endif
