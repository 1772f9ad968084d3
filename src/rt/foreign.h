// Code that is neither instrumented nor described.
#ifndef TSLRT_FOREIGN_H
#define TSLRT_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_FOREIGN_TOLD 64

// Of the process.
typedef struct tslrt_strangers {
    const void *known_start;              // of the last thread whose code is not foreign
    const void *told[TSLRT_FOREIGN_TOLD]; // functions that were named in the census
} tslrt_strangers;

// Of a run: the last call of such code; NULL and 0 if there was none.
typedef struct tslrt_foreign {
    const void *function;
    const char *name; // NULL if it was called through a pointer
    uint32_t site;
} tslrt_foreign;

// The code is called; it is about to be called back; a function of libc with these arguments may
// call it back.
void tslrt_foreign_call(const void *function, const char *name, uint32_t pointers, uint32_t site);
bool tslrt_is_foreign(const void *function);
void tslrt_foreign_back(const void *function, uint32_t site);
void tslrt_foreign_handed(const uint64_t *args, uint32_t site);
void tslrt_foreign_starts(const void *start, uint32_t site); // a thread begins

#endif
