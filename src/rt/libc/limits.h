// Limits of resources that the kernel is not told (limits.c).
#ifndef TSLRT_LIBC_LIMITS_H
#define TSLRT_LIBC_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

// A limit of a resource that the program has set, and that the kernel does not hear of.
enum { TSLRT_LIMIT_FSIZE, TSLRT_LIMIT_AS, TSLRT_LIMIT_DATA, TSLRT_LIMIT_CPU, TSLRT_LIMITS };
typedef struct tslrt_limit {
    uint64_t soft, hard;
    bool is_set;
} tslrt_limit;

// Does the program, or the process that started it, limit its processor time?
bool tslrt_limits_cpu(void);

#endif
