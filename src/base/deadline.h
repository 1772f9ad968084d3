// When must the work be over?
//
// One answer for the whole command: a number of seconds after its start (compiling not counted),
// or a signal from outside, whichever comes first.  A timer sets a flag, so asking costs one load,
// and every loop whose length the program under test decides asks:
//
//     loops that can stop where they are   if (tsl_deadline_passed()) ...
//     loops deep inside one piece of work  tsl_deadline_ask(), which leaves the whole piece of
//                                          work that tsl_deadline_run called
//
// What was cut short is never called complete.
#ifndef TSL_BASE_DEADLINE_H
#define TSL_BASE_DEADLINE_H

#include <stdbool.h>

extern volatile int tsl_deadline_flag; // an int can be set by a handler

// From now on there are so many seconds; 0: as many as it takes.
void tsl_deadline_begin(double seconds);
// SIGINT and SIGTERM: the work shall be over then.
void tsl_deadline_heed_signals(void);
// So many seconds more for what must be done at the end: behind the deadline, or from now on if
// there was a signal.
void tsl_deadline_extend(double seconds);

static inline bool tsl_deadline_passed(void) { return __builtin_expect(tsl_deadline_flag, 0); }
// There was a signal.
bool tsl_deadline_interrupted(void);
// Seconds until then, 0 if it has passed; as many as fit if there is no deadline.
double tsl_deadline_left(void);

// False: the deadline passed and `work` was left in the middle.  What it was changing is
// in no state to be used again, or freed.
bool tsl_deadline_run(void (*work)(void *self), void *self);
void tsl_deadline_leave(void);

static inline void tsl_deadline_ask(void) {
    if (tsl_deadline_passed())
        tsl_deadline_leave();
}

#endif
