// How does a Plan become a Trace?  By a process, a model, or whatever offers this interface.
//
// Traces come out in the order the Plans went in.  A Trace, and the run that is made of it, is valid
// until the next collect.
#ifndef TSL_EXPLORE_RUNNER_H
#define TSL_EXPLORE_RUNNER_H

#include "base/err.h"
#include "model/run.h"

typedef struct tsl_runner {
    void *self;
    unsigned workers;             // Plans that are executed at once
    unsigned (*room)(void *self); // Plans that may be submitted now
    unsigned (*in_flight)(void *self);
    bool (*submit)(void *self, const tsl_plan *plan, tsl_err *err);
    bool (*collect)(void *self, tsl_trace *trace, tsl_err *err);
    // Drops what is in flight.  NULL: it must be collected instead.
    bool (*forget)(void *self, tsl_err *err);
} tsl_runner;

// Collects the next Trace as a checked run, which the caller drops in the end.
bool tsl_runner_collect(const tsl_runner *runner, tsl_run *run, tsl_err *err);
// One Plan, one run, nothing else in flight.
bool tsl_runner_run(const tsl_runner *runner, const tsl_plan *plan, tsl_run *run, tsl_err *err);

#endif
