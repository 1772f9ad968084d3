// The process of the program.
#ifndef TSLRT_LIBC_PROCESS_H
#define TSLRT_LIBC_PROCESS_H

#include <stdbool.h>

bool tslrt_is_confined(void); // seccomp was asked for, and is passed over

#endif
