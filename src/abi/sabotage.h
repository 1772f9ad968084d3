// Rules that a test can break on purpose, one at a time, to see that the oracles notice it.
//
// In a build with `-DTSL_SABOTAGE` the environment variable TSL_BREAK has the number of the broken
// rule (tests/oracle/sabotage.c reads it); in other builds TSL_BROKEN is the constant false.  Each
// comment says what goes wrong.  tests/sabotage/run.sh breaks each rule; the oracles must fail.
#ifndef TSL_ABI_SABOTAGE_H
#define TSL_ABI_SABOTAGE_H

enum tsl_sabotage {
    TSL_BREAK_NOTHING,
    TSL_BREAK_LOCK_PARTNER,   // a lock races with the unlock before it, not with the earlier lock
    TSL_BREAK_RELEASE_EDGE,   // a lock does not happen after the unlock that let it through
    TSL_BREAK_PENDING,        // races of steps that never ran are not looked for
    TSL_BREAK_SLEEP_WAKE,     // no step wakes what sleeps
    TSL_BREAK_SLEEP_PASS,     // nothing is put to sleep
    TSL_BREAK_BACKTRACK,      // races of a thread's first step are not reversed
    TSL_BREAK_READS,          // a write does not depend on the reads before it
    TSL_BREAK_BYTES,          // accesses of different bytes of a word depend on each other
    TSL_BREAK_WAKE_EDGE,      // a woken thread does not happen after the step that woke it
    TSL_BREAK_WHOLE_RUN,      // a reversal leaves out the steps behind the second step
    TSL_BREAK_OLD_RACES,      // races found in an earlier run are not looked at again
    TSL_BREAK_CHOICES,        // only the first alternative of a choice is taken
    TSL_BREAK_ROUNDS,         // arrivals of different rounds of a barrier commute
    TSL_BREAK_CUT,            // going back in a history does not take back its hash
    TSL_BREAK_READERS,        // a writer must wait for all readers, even when run earlier
    TSL_BREAK_POSTS,          // of several posts only one can let a wait through
    TSL_BREAK_CREATION,       // a thread does not happen after its creation
    TSL_BREAK_WAKERS,         // a sequence is shortened without regard to what sleeps
    TSL_BREAK_SETTLED,        // a race that was settled once stays settled for ever
    TSL_BREAK_OWN,            // the end of a run is never read
    TSL_BREAK_BOUND_COST,     // preemptions cost nothing
    TSL_BREAK_BOUND_PLACE,    // a place is the same, however many preemptions led to it
    TSL_BREAK_OTHER_WAY,      // the other side of an input branch is not taken
    TSL_BREAK_VALUES,         // a pinned value is asked to be another one only once
    TSL_BREAK_DECIDED,        // a sequence is shortened without the branches behind its last steps
    TSL_BREAK_INPUTS,         // a race is reversed with other inputs than those of its run
    TSL_BREAK_OUTCOME,        // a sequence goes below any outcome of a branch that it does not hold
    TSL_BREAK_CAS_INPUTS,     // a compare-and-swap that inputs decide is no write if it failed
    TSL_BREAK_CHOOSE,         // the program chooses once
    TSL_BREAK_TOSS,           // rapos: what is independent is always in the round
    TSL_BREAK_SCHEDULABLE,    // rapos: every enabled thread is schedulable
    TSL_BREAK_CHANGE,         // pct: priorities never change
    TSL_BREAK_REDRAW,         // pos: only the thread that ran gets a new priority
    TSL_BREAK_WEIGHT,         // surw: weights never change
    TSL_BREAK_OPAQUE,         // a step that may touch anything depends on nothing
    TSL_BREAK_REQUEST_NEEDED, // a call that was cancelled while blocked could have run anyway
    TSL_BREAK_REQUEST_WAITS,  // such a call could not have waited before the request
    TSL_BREAK_REQUEST_LATE,   // a signalled thread can't have been cancelled before the signal
    TSL_BREAK_REQUEST_READ,   // calls that wait do not look at the request
    TSL_BREAK_REQUEST_LEAVES, // leaving a queue because of a request does not read the request
    TSL_BREAK_SIGNAL_READ,    // calls that wait do not look for signals
    TSL_BREAK_SIGNAL_TAKEN,   // a signal stays on its way after its handler has run
    TSL_BREAK_SIGNAL_PENDS,   // a signal that is blocked is on its way
    TSL_BREAK_SIGNAL_LOCKS,   // a lock that a signal interrupted did not wait
    TSL_BREAK_STRAY_STEP,     // a planned step that comes out as another one is not noticed
    TSL_BREAK_STRAY_PREFIX,   // a run that begins otherwise than the one before is not noticed
    TSL_BREAK_STRAY_SHORT,    // a run that ends before its plan does is not noticed
    TSL_BREAK_EXITS,          // no other thread could have ended the process
    TSL_BREAK_RELAXED_RELEASES, // races: a relaxed store releases
    TSL_BREAK_RELAXED_ACQUIRES, // races: a relaxed load acquires
    TSL_BREAK_RMW_CONTINUES,    // races: a read-modify-write ends the release sequences of others
    TSL_BREAK_OWN_STORES,       // races: a relaxed store ends its own thread's release sequence
    TSL_BREAK_RELEASE_FENCE,    // races: a release fence does nothing
    TSL_BREAK_ACQUIRE_FENCE,    // races: an acquire fence does nothing
    TSL_BREAK_MIXED,            // races: a plain access does not race with an atomic one
    TSL_BREAK_FIRST_RACES,      // races: a race orders nothing
    TSL_BREAK_CONSUME,          // races: consume does not acquire
    TSL_BREAK_CAS_READS, // races: those of a compare-and-swap and a plain read stand next to each other
    TSL_BREAK_ENABLED,     // runs: a thread that was enabled once is enabled for ever
    TSL_BREAK_COLUMN,      // events.def: a post of a semaphore only reads it
    TSL_BREAK_BIASED,      // random: a thread that has stayed long enough may be drawn again
    TSL_BREAK_OPEN_LEAVES, // the search tree counts leaves as open that were taken
    TSL_BREAK_COUNT
};

#ifdef TSL_SABOTAGE
extern enum tsl_sabotage tsl_sabotage;
#define TSL_BROKEN(rule) (tsl_sabotage == TSL_BREAK_##rule)
#else
#define TSL_BROKEN(rule) (TSL_BREAK_NOTHING == TSL_BREAK_##rule)
#endif

#endif
