// Atomic sections: a whole section is one step.
#ifndef TSLRT_SYNC_EXCLUSIVE_H
#define TSLRT_SYNC_EXCLUSIVE_H

#include "abi/wire.h"

#define TSLRT_KEPT 16
typedef struct tslrt_kept {
    uintptr_t addr;
    uint64_t size;
    uint64_t old; // what was there, up to eight bytes
    uint8_t kind;
} tslrt_kept;

// What the section that is being run has accessed.
typedef struct tslrt_exclusive {
    tsl_event *event; // of its step; NULL: none is open
    uint64_t count;
    unsigned n;
    bool lost;                   // there was no room for some accesses
    tslrt_kept kept[TSLRT_KEPT]; // the last field, see tslrt_run
} tslrt_exclusive;

void tslrt_exclusive_access(const void *p, uint32_t site, unsigned kind, uint64_t size);
void tslrt_exclusive_close(void);
// May a step be part of the section?
bool tslrt_exclusive_takes(unsigned kind, const void *object, unsigned size_code);

#endif
