// Which threads of a deadlock or livelock wait for what, and for each other?
//
// At the end of the run the Trace tells of every blocked thread which step it stands before, the
// object, and the thread that holds the object (of several readers one that waits too, if there is
// one).  Following the holders from any thread leads into a cycle, or to an end: a condition that
// no thread signals, or a thread that ended with a lock.
#ifndef TSL_REPORT_DEADLOCK_H
#define TSL_REPORT_DEADLOCK_H

#include "report/names.h"

typedef struct tsl_deadlock {
    TSL_VEC(const tsl_thread_info *) waits; // every blocked thread, by number
    // The threads to report: a cycle, in which each waits for the next and the last for the first,
    // from the lowest number on; else those that wait for a thread that has ended; else those that
    // wait in a loop; else all.
    TSL_VEC(const tsl_thread_info *) core;
    bool is_cycle;
    const tsl_thread_info *other; // a thread that does not wait (partial deadlock), or NULL
} tsl_deadlock;

// Borrows `threads`.
void tsl_deadlock_find(const tsl_thread_info *threads, size_t count, tsl_deadlock *out);
void tsl_deadlock_drop(tsl_deadlock *deadlock);

// One sentence: "T1 waits for mutex `b` held by T2, T2 waits for mutex `a` held by T1".
void tsl_deadlock_message(const tsl_deadlock *deadlock, const tsl_names *names, tsl_buf *out);

// What one thread waits for: "mutex `b` held by T2".
void tsl_deadlock_wait(const tsl_thread_info *info, const tsl_names *names, tsl_buf *out);

#endif
