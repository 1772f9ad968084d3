#include "explore/runner.h"

bool tsl_runner_collect(const tsl_runner *runner, tsl_run *run, const tsl_events *known,
                        tsl_err *err) {
    tsl_trace trace;
    if (!runner->collect(runner->self, &trace, err))
        return false;
    tsl_run_take(run, &trace, known);
    return true;
}

bool tsl_runner_run(const tsl_runner *runner, const tsl_plan *plan, tsl_run *run, tsl_err *err) {
    return runner->submit(runner->self, plan, err) && tsl_runner_collect(runner, run, NULL, err);
}
