// What does each run add to the counts of its campaign?
#ifndef TSL_EXPLORE_COUNTING_H
#define TSL_EXPLORE_COUNTING_H

#include "base/set.h"
#include "explore/campaign.h"
#include "explore/race_watch.h"

typedef struct tsl_counting {
    tsl_campaign *campaign;
    tsl_set traces, orders, paths; // hashes
    tsl_race_watch watch; // for strategies that do not look for races and orders themselves
} tsl_counting;

void tsl_counting_init(tsl_counting *counting, tsl_campaign *campaign);
void tsl_counting_drop(tsl_counting *counting);

// Counts a run before the strategy learns from it.  True if its Trace was not seen before, as far as
// that is known.
bool tsl_count_run(tsl_counting *counting, const tsl_run *run);
// Counts what the strategy has learned from it; `fresh` is what tsl_count_run returned.
void tsl_count_learned(tsl_counting *counting, const tsl_run *run, bool fresh);

#endif
