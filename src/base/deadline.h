// When must the work of this command be over?
//
// There is one deadline: a number of seconds after the start of the command (without compiling), or
// a signal from outside, whichever comes first.  A timer sets a flag, so asking costs one load.
// Every loop whose length the program under test decides must ask:
//
//     loops that can stop where they are   if (tsl_deadline_passed()) ...
//     loops deep inside one piece of work  tsl_deadline_ask(), which leaves the whole piece of
//                                          work that tsl_deadline_run called
//
// What was cut short is never called complete.
#ifndef TSL_BASE_DEADLINE_H
#define TSL_BASE_DEADLINE_H

#include <stdbool.h>

extern volatile int tsl_deadline_flag; // an int, so that a handler may set it

// The deadline is `seconds` from now; 0: there is none.
void tsl_deadline_begin(double seconds);
// From now on SIGINT and SIGTERM are the deadline, too.
void tsl_deadline_heed_signals(void);
// Allows more time for what must be done at the end: `seconds` behind the deadline, or from now on
// if there was a signal.
void tsl_deadline_extend(double seconds);

static inline bool tsl_deadline_passed(void) { return __builtin_expect(tsl_deadline_flag, 0); }
// Was there a signal?
bool tsl_deadline_interrupted(void);
// Seconds until the deadline; 0 if it has passed, a huge number if there is none.
double tsl_deadline_left(void);

// Returns false if the deadline passed and `work` was left in the middle.  What it was changing
// must not be used again, nor freed.
bool tsl_deadline_run(void (*work)(void *self), void *self);
void tsl_deadline_leave(void);

static inline void tsl_deadline_ask(void) {
    if (tsl_deadline_passed())
        tsl_deadline_leave();
}

#endif
