// Rules that a test can break on purpose, one at a time, to see that the oracles notice.
//
// In a build with `-DTSL_SABOTAGE` the variable TSL_BREAK of the environment holds the number of the
// broken rule (tests/oracle/sabotage.c reads it); in any other build every test here folds to false.
// tests/sabotage/run.sh makes that one build, breaks each rule in turn and expects the oracles to fail.
#ifndef TSL_ABI_SABOTAGE_H
#define TSL_ABI_SABOTAGE_H

enum tsl_sabotage {
    TSL_BREAK_NOTHING,
    TSL_BREAK_LOCK_PARTNER,   // a lock races with the unlock before it, not with the lock
    TSL_BREAK_RELEASE_EDGE,   // a lock does not follow the unlock that let it through
    TSL_BREAK_PENDING,        // steps that never ran are not looked at
    TSL_BREAK_SLEEP_WAKE,     // what sleeps sleeps on, whatever runs
    TSL_BREAK_SLEEP_PASS,     // nothing is put to sleep
    TSL_BREAK_BACKTRACK,      // races of a thread's first step are not reversed
    TSL_BREAK_READS,          // a write does not depend on the reads before it
    TSL_BREAK_BYTES,          // accesses of different bytes of a word depend on each other
    TSL_BREAK_WAKE_EDGE,      // a woken thread does not follow who woke it
    TSL_BREAK_WHOLE_RUN,      // a reversal leaves out what ran behind the second step
    TSL_BREAK_OLD_RACES,      // races found in an earlier run are not looked at again
    TSL_BREAK_CHOICES,        // only the first alternative of a choice is taken
    TSL_BREAK_ROUNDS,         // arrivals of different rounds of a barrier commute
    TSL_BREAK_CUT,            // going back in a history leaves its hash
    TSL_BREAK_READERS,        // a writer must wait for all readers, even when run earlier
    TSL_BREAK_POSTS,          // another post does not do as well
    TSL_BREAK_CREATION,       // a thread does not follow its creation
    TSL_BREAK_WAKERS,         // a sequence is shortened without regard to who sleeps
    TSL_BREAK_SETTLED,        // a race that was settled once is so for ever
    TSL_BREAK_OWN,            // the end of a run is never looked at
    TSL_BREAK_BOUND_COST,     // switches cost nothing
    TSL_BREAK_BOUND_PLACE,    // a place is the same however many preemptions it took
    TSL_BREAK_OTHER_WAY,      // a branch that inputs decide is not turned
    TSL_BREAK_VALUES,         // a value that inputs decide is asked to be another one only once
    TSL_BREAK_DECIDED,        // a sequence is shortened without what its last steps' inputs decide
    TSL_BREAK_INPUTS,         // a race is reversed with other inputs than the run's
    TSL_BREAK_OUTCOME,        // a sequence goes below any outcome of a branch that it does not hold
    TSL_BREAK_CAS_INPUTS,     // a compare-and-swap that inputs decide is what it came out as
    TSL_BREAK_CHOOSE,         // the program chooses once
    TSL_BREAK_TOSS,           // rapos: what is independent is always in the round
    TSL_BREAK_SCHEDULABLE,    // rapos: everybody who is enabled is
    TSL_BREAK_CHANGE,         // pct: priorities stay as they are
    TSL_BREAK_REDRAW,         // pos: only who ran gets a new priority
    TSL_BREAK_WEIGHT,         // surw: weights stay as they are
    TSL_BREAK_OPAQUE,         // a step that may touch anything depends on nothing
    TSL_BREAK_REQUEST_NEEDED, // whoever is cancelled while blocked could have run anyway
    TSL_BREAK_REQUEST_WAITS,  // nor could it have waited before what led to the request
    TSL_BREAK_REQUEST_LATE,   // who was signalled can't have been cancelled before the signal
    TSL_BREAK_REQUEST_READ,   // calls that wait do not look at the request
    TSL_BREAK_REQUEST_LEAVES, // who leaves a queue for a request does not look for one
    TSL_BREAK_SIGNAL_READ,    // calls that wait do not look for signals
    TSL_BREAK_SIGNAL_TAKEN,   // a signal stays on its way when its handler has run
    TSL_BREAK_SIGNAL_PENDS,   // a signal that is blocked is on its way
    TSL_BREAK_SIGNAL_LOCKS,   // a lock that a signal interrupted did not wait
    TSL_BREAK_STRAY_STEP,     // steps that were to be others are what they were to be
    TSL_BREAK_STRAY_PREFIX,   // nor is it seen that a run begins otherwise than the one before
    TSL_BREAK_STRAY_SHORT,    // a run that ends too early is as good as any
    TSL_BREAK_EXITS,          // whoever ended the process, nobody else could have
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
    TSL_BREAK_ENABLED, // runs: a thread that was enabled once is enabled for ever
    TSL_BREAK_COLUMN,  // events.def: a post of a semaphore only reads it
    TSL_BREAK_COUNT
};

#ifdef TSL_SABOTAGE
extern enum tsl_sabotage tsl_sabotage;
#define TSL_BROKEN(rule) (tsl_sabotage == TSL_BREAK_##rule)
#else
#define TSL_BROKEN(rule) (TSL_BREAK_NOTHING == TSL_BREAK_##rule)
#endif

#endif
