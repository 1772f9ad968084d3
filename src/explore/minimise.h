// Is there a shorter way to the same bug, with fewer switches between threads?
#ifndef TSL_EXPLORE_MINIMISE_H
#define TSL_EXPLORE_MINIMISE_H

#include "explore/runner.h"

typedef struct tsl_goal {
    void *self;
    bool (*same)(void *self, const tsl_run *run); // does the run show the bug?
} tsl_goal;

// `plan` shows the bug.  On return it still does, with as few switches as were found in at most
// `runs` runs.  Nothing may be in flight.  If the Plan ends where its prefix ends (TSL_PLAN_STOP),
// the goal is about where the threads stand there.
bool tsl_minimise(const tsl_runner *runner, const tsl_goal *goal, tsl_plan *plan, unsigned runs,
                  tsl_err *err);

#endif
