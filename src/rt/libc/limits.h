// Limits of resources that the kernel is not told (limits.c).
#ifndef TSLRT_LIMITS_H
#define TSLRT_LIMITS_H

#include <stdbool.h>

// Does the program, or the process that started it, limit its processor time?
bool tslrt_limits_cpu(void);

#endif
