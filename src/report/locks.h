// Which locks does a thread hold?
//
// The steps of a run tell what the thread locked and did not unlock.  Waiting on a condition is
// recorded as an unlock, and a lock after it.  What a thread locked while it was the only thread is
// not recorded, and so not known here.
#ifndef TSL_REPORT_LOCKS_H
#define TSL_REPORT_LOCKS_H

#include "model/run.h"

typedef struct tsl_lock {
    uint64_t addr;
    uint32_t site; // where it was locked
    uint8_t kind;  // of the step that locked it
} tsl_lock;

typedef TSL_VEC(tsl_lock) tsl_locks;

// The locks held before the step at a position, in the order in which they were locked, each once.
void tsl_locks_held(const tsl_run *run, size_t position, unsigned thread, tsl_locks *out);

// "mutex", "spin lock", "read lock", "write lock".
const char *tsl_lock_word(const tsl_lock *lock);

#endif
