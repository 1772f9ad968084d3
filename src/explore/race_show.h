// Does the run of a Plan end with a data race?
//
// Usually the two accesses are the last two steps of the run.  If only weak atomics keep them apart
// the first access may come earlier: then the clocks of the run (model/sync.h) are the evidence.
#ifndef TSL_EXPLORE_RACE_SHOW_H
#define TSL_EXPLORE_RACE_SHOW_H

#include "explore/runner.h"
#include "model/history.h"

// Are two sites on the same line of the source?
typedef struct tsl_lines {
    const void *self;
    bool (*same)(const void *self, uint32_t a, uint32_t b);
} tsl_lines;

typedef struct tsl_shown_race {
    bool is_race;           // everything but `run` is empty if not
    bool is_weak;           // only weak atomics keep the two accesses apart
    size_t at[2];           // positions of the two steps in the run
    tsl_run run;            // valid until the next run
    tsl_trace_head *before; // how each of the two threads stood before its access
    tsl_step_list chain;    // if weak: the events that seem to order the accesses
} tsl_shown_race;

// If the last step races with several earlier ones, the first access is one on the line of `site`
// if there is such a step, else the latest.
bool tsl_race_show(const tsl_runner *runner, const tsl_plan *plan, const tsl_lines *lines,
                   uint32_t site, tsl_shown_race *out, tsl_err *err);
void tsl_shown_race_drop(tsl_shown_race *shown);

// The same question about a run that is there.
bool tsl_race_is_at_end(const tsl_run *run, tsl_step_view last[2]);
// Does the last step race, by the clocks, with a step of this thread at this site?
bool tsl_race_is_with(const tsl_run *run, uint16_t thread, uint32_t site);

#endif
