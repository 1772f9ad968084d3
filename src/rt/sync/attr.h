// Attributes of threads and of synchronisation objects, laid over those of libc.
#ifndef TSLRT_SYNC_ATTR_H
#define TSLRT_SYNC_ATTR_H

#include <pthread.h>
#include <stdint.h>

typedef struct tslrt_attr {
    size_t stack_size, guard_size; // a stack size of 0 means that of the defaults
    void *stack;
    int detached, scope, inherit, policy, priority;
    int has_mask; // the thread starts with `mask` instead of its creator's
    uint64_t mask;
} tslrt_attr;

typedef struct tslrt_mutexattr {
    unsigned type : 2, : 2, robust : 1, : 3, shared : 1, protocol : 2, : 1;
    unsigned ceiling : 12; // glibc's pthread_mutexattr_setprioceiling puts it there
} tslrt_mutexattr;

typedef struct tslrt_condattr {
    unsigned clock : 4, : 4, shared : 24;
} tslrt_condattr;

typedef struct tslrt_rwlockattr {
    unsigned kind : 8, shared : 24;
} tslrt_rwlockattr;

typedef struct tslrt_barrierattr {
    int shared;
} tslrt_barrierattr;

// What a thread that is created with these attributes gets; NULL: with none.
tslrt_attr tslrt_attr_of(const pthread_attr_t *attr);

#endif
