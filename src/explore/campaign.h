// A campaign: a strategy, a runner, and when to stop.
#ifndef TSL_EXPLORE_CAMPAIGN_H
#define TSL_EXPLORE_CAMPAIGN_H

#include "explore/runner.h"
#include "explore/strategy.h"
#include "model/counts.h"

typedef struct tsl_campaign tsl_campaign;

typedef struct tsl_observer {
    void *self;
    // Is shown every run, after the strategy has learned from it.  False ends the campaign.
    bool (*run)(void *self, const tsl_campaign *campaign, const tsl_run *run);
} tsl_observer;

struct tsl_campaign {
    const tsl_runner *runner;
    tsl_strategy *strategy;
    uint64_t runs; // budget in runs; 0 means unlimited.  That in seconds is in base/deadline.h
    tsl_observer observer;
    const tsl_race_sink *races; // is told of data races if the strategy does not look; may be NULL
    tsl_counts *counts;         // all zero at first
    // About the run that is being looked at.
    const tsl_plan *plan;
    uint64_t path;  // the path it took through input branches: equal numbers for equal paths
    bool new_path;  // no earlier run took that path
    bool abandoned; // the deadline passed in the middle of learning: the strategy must not be freed
};

// Runs until the strategy is done, the budget is used up or the observer says stop.  If the observer
// stopped it, the caller adds the reason to the claim.
bool tsl_campaign_run(tsl_campaign *campaign, tsl_claim *claim, tsl_err *err);

// How many runs are left, estimated; 0 if that is not known.  It may be more than any counter holds.
double tsl_campaign_left(const tsl_campaign *campaign);

#endif
