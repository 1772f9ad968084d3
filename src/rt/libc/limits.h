// Limits of resources that the kernel does not hear of (limits.c).
#ifndef TSLRT_LIMITS_H
#define TSLRT_LIMITS_H

#include <stdbool.h>

// Does the program, or who started it, limit its processor time?
bool tslrt_limits_cpu(void);

#endif
