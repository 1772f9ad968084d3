// A shorter way to the same bug: fewer switches between threads.
#ifndef TSL_EXPLORE_MINIMISE_H
#define TSL_EXPLORE_MINIMISE_H

#include "explore/runner.h"

typedef struct tsl_goal {
    void *self;
    bool (*same)(void *self, const tsl_run *run); // does it show the bug?
} tsl_goal;

// `plan` shows the bug.  On return it still does, with as few switches as were
// found in at most `runs` runs.  Nothing may be in flight.
bool tsl_minimise(const tsl_runner *runner, const tsl_goal *goal, tsl_plan *plan, unsigned runs,
                  tsl_err *err);

// The same for a Plan that ends where its prefix ends (TSL_PLAN_STOP): the goal is about
// where the threads stand there.
bool tsl_minimise_stop(const tsl_runner *runner, const tsl_goal *goal, tsl_plan *plan,
                       unsigned runs, tsl_err *err);

// Switches of a schedule: how often the running thread changes.
size_t tsl_minimise_switches(const tsl_items *items);

#endif
