// What turns Plans into Traces?
//
// A runner does: a process of the program under test, a crew of such processes, or a model.  Traces
// come out in the order in which the Plans went in.  A Trace is valid until the next collect, and
// so is the run that is made of it.
#ifndef TSL_EXPLORE_RUNNER_H
#define TSL_EXPLORE_RUNNER_H

#include "base/err.h"
#include "model/run.h"

typedef struct tsl_runner {
    void *self;
    unsigned workers;                  // how many Plans are executed at once
    unsigned (*room)(void *self);      // how many Plans may be submitted now
    unsigned (*in_flight)(void *self); // how many were submitted and not collected
    bool (*submit)(void *self, const tsl_plan *plan, tsl_err *err);
    bool (*collect)(void *self, tsl_trace *trace, tsl_err *err);
    // Drops the Plans in flight, whose Traces will not be collected.  NULL if the runner can't do
    // that, so that all Traces must be collected.
    bool (*forget)(void *self, tsl_err *err);
} tsl_runner;

// Collects the next Trace as a checked run (see tsl_run_take), which the caller must drop.
static inline bool tsl_runner_collect(const tsl_runner *runner, tsl_run *run,
                                      const tsl_events *known, tsl_err *err) {
    tsl_trace trace;
    if (!runner->collect(runner->self, &trace, err))
        return false;
    tsl_run_take(run, &trace, known);
    return true;
}

// Runs one Plan and collects its run, while nothing else is in flight.
static inline bool tsl_runner_run(const tsl_runner *runner, const tsl_plan *plan, tsl_run *run,
                                  tsl_err *err) {
    return runner->submit(runner->self, plan, err) && tsl_runner_collect(runner, run, NULL, err);
}

#endif
