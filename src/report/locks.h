// Which locks does a thread hold?
//
// Out of the steps of a run alone: what it locked and has not unlocked.  Waiting on a
// condition unlocks, and the lock that comes behind it locks again.  What a thread
// locked while it was the only one is not recorded, and so not known here.
#ifndef TSL_REPORT_LOCKS_H
#define TSL_REPORT_LOCKS_H

#include "base/vec.h"
#include "model/run.h"

typedef struct tsl_lock {
    uint64_t addr;
    uint32_t site; // where it was locked
    uint8_t kind;  // of the step that locked it
} tsl_lock;

typedef TSL_VEC(tsl_lock) tsl_locks;

// Before the step at that position, in the order they were locked; one held twice is there once.
void tsl_locks_held(const tsl_run *run, size_t position, unsigned thread, tsl_locks *out);

// "mutex", "spin lock", "read lock", "write lock".
const char *tsl_lock_word(const tsl_lock *lock);

#endif
