// Semaphores with names.
#ifndef TSLRT_SYNC_SEM_H
#define TSLRT_SYNC_SEM_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_SEMS 64

typedef struct named_sem {
    char name[64];
    uint64_t sem[4]; // a sem_t
    uint32_t opens;
    bool unlinked, used;
} named_sem;

#endif
