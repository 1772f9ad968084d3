// A campaign: a strategy, a runner, and when to stop.
#ifndef TSL_EXPLORE_CAMPAIGN_H
#define TSL_EXPLORE_CAMPAIGN_H

#include "base/err.h"
#include "base/set.h"
#include "explore/monitor.h"
#include "explore/runner.h"
#include "explore/strategy.h"

typedef struct tsl_budget {
    uint64_t runs; // 0: any number; how long they may take is base/deadline.h's to say
} tsl_budget;

typedef struct tsl_progress {
    uint64_t executions;
    uint64_t interleavings; // distinct traces seen; counted up to a bound
    bool interleavings_cut;
    uint64_t traces; // distinct partial orders seen; counted up to a bound
    bool traces_cut;
    uint64_t blocked;  // runs that turned out to be redundant
    uint64_t repeated; // runs of a partial order seen before, by a strategy that should not
    bool begun_again;  // traces are counted from then on
    double share;      // of the tree that has been explored, estimated; 0: unknown
    uint64_t paths;    // distinct outcomes of branches that depend on inputs, and of choices;
                       // counted up to a bound
    uint64_t path;     // that the run being looked at took: equal for equal ones
    bool new_path;     // and it was the first
    uint64_t mispredicted, unknown;     // runs; branches
    uint64_t diverged;                  // runs that did not begin as planned
    uint64_t diverged_in;               // the first of them
    tsl_divergence divergence;          // where it left its way, if the strategy knows
    char diverged_because[TSL_MESSAGE]; // what the runner said of it, or empty
    uint64_t cut_runs[TSL_OUT_COUNT];   // by outcome
    uint64_t halted; // of those cut by the clock: a signal had stopped the program
    uint32_t flags;  // or of all Traces' flags
    double seconds;
    const tsl_plan *plan; // of the run that is being looked at
} tsl_progress;

typedef struct tsl_observer {
    void *self;
    // Shown every run.  False ends the campaign.
    bool (*run)(void *self, const tsl_plan *plan, const tsl_run *run, const tsl_progress *progress);
} tsl_observer;

typedef struct tsl_campaign {
    const tsl_runner *runner;
    tsl_strategy *strategy;
    tsl_budget budget;
    tsl_observer observer;
    tsl_progress progress;
    const tsl_race_sink *races; // told of data races if the strategy does not; may be NULL
    tsl_set hashes, canons, path_hashes;
    tsl_monitor monitor;
    bool abandoned; // the deadline passed in the middle of learning: the strategy must not be freed
} tsl_campaign;

// Runs until the strategy is done, the budget is used up or the observer says stop.  Why the
// observer stopped is added to the claim by who asked it to.
bool tsl_campaign_run(tsl_campaign *campaign, tsl_claim *claim, tsl_err *err);
void tsl_campaign_drop(tsl_campaign *campaign);

// How many runs are left, estimated; 0 if nobody knows.  It may be more than any counter holds.
double tsl_progress_left(const tsl_progress *progress);

#endif
