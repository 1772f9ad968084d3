// Which locks does a thread hold?
//
// Out of the events of a run alone: what it locked and has not unlocked.  Waiting on a
// condition unlocks, and the lock that comes behind it locks again.  What a thread
// locked while it was the only one is not recorded, and so not known here.
#ifndef TSL_REPORT_LOCKS_H
#define TSL_REPORT_LOCKS_H

#include "base/vec.h"
#include "trace/trace.h"

typedef struct tsl_lock {
    uint64_t addr;
    uint32_t site; // where it was locked
    uint8_t kind;  // event it was locked with
} tsl_lock;

typedef TSL_VEC(tsl_lock) tsl_locks;

// After events[0..end-1], in the order they were locked; one held twice is there once.
void tsl_locks_held(const tsl_event *events, size_t end, unsigned thread, tsl_locks *out);

// "mutex", "spin lock", "read lock", "write lock".
const char *tsl_lock_word(const tsl_lock *lock);

#endif
