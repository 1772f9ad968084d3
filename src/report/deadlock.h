// A deadlock or a livelock: who waits for what, and who waits for each other.
//
// At the end of the run every blocked thread tells the step it stands before, the
// object, and who holds it (of several readers one that waits too, if there is one).
// Following the holders from any thread runs into a cycle or off the end: a condition
// nobody signals, a thread that ended with a lock.
#ifndef TSL_REPORT_DEADLOCK_H
#define TSL_REPORT_DEADLOCK_H

#include "base/buf.h"
#include "base/vec.h"
#include "report/names.h"

typedef struct tsl_deadlock {
    TSL_VEC(const tsl_thread_info *) waits; // every blocked thread, by number
    // What it is about: a cycle, in which each waits for the next and the last for the
    // first, from the lowest number on; else who waits for a thread that has ended; else all.
    TSL_VEC(const tsl_thread_info *) core;
    bool is_cycle;
    const tsl_thread_info *other; // one that does not wait: it is a partial deadlock; may be NULL
} tsl_deadlock;

// Borrows the records.
void tsl_deadlock_find(const tsl_thread_info *threads, size_t count, tsl_deadlock *out);
void tsl_deadlock_drop(tsl_deadlock *deadlock);

// One sentence: "T1 waits for mutex `b` held by T2, T2 waits for mutex `a` held by T1".
void tsl_deadlock_message(const tsl_deadlock *deadlock, const tsl_names *names, tsl_buf *out);

// What one thread waits for: "mutex `b` held by T2".
void tsl_deadlock_wait(const tsl_thread_info *info, const tsl_names *names, tsl_buf *out);

#endif
