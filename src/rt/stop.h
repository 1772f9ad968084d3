// Does the run end here, because no thread can run or because it is too long?
#ifndef TSLRT_STOP_H
#define TSLRT_STOP_H

#include "state.h"

// The Plan lets threads that only wait spin, and ends the run when nothing else is left.
static inline bool tslrt_spin_ends(void) { return RUN->plan->flags & TSL_PLAN_SPIN_ENDS; }

// These come back if the run goes on.
void tslrt_stop_if_asked(void);  // the Plan asks for no more than its steps
void tslrt_stop_if_spun(void);   // some thread stands before AWAIT: sets which threads can go on
void tslrt_stop_at_limits(void); // so many steps were taken, or there is no more room for events
noreturn void tslrt_stop_blocked(void); // no thread can run

#endif
