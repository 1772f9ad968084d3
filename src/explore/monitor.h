// What a run shows beyond its outcome, for strategies that do not look themselves: its
// data races, and which partial order it is.
//
// Many Traces are the same partial order: a digest tells that before they are read.  And
// consecutive Traces often begin alike: what they share is read once.
#ifndef TSL_EXPLORE_MONITOR_H
#define TSL_EXPLORE_MONITOR_H

#include "base/map.h"
#include "explore/strategy.h"
#include "model/digest.h"
#include "model/race.h"
#include "model/sync.h"

typedef struct tsl_monitor {
    const tsl_race_sink *sink; // NULL: nobody asks
    tsl_history history;
    tsl_sync ordered;   // what synchronisation orders, if it predicts
    tsl_sync by_clocks; // the same, and races: of runs with weak atomics
    tsl_race_list races;
    bool predicts;
    tsl_prefix last; // of the run the history is of
    tsl_digest digest;
    tsl_map digests; // of what was read, and the hash of its order
} tsl_monitor;

// Predicts: what a search would come to anyway is told from one run, if it can be.
void tsl_monitor_init(tsl_monitor *monitor, const tsl_race_sink *sink, bool predicts);
void tsl_monitor_drop(tsl_monitor *monitor);

// Tells the sink of every pair of accesses that could have run right after one another, that
// only weak atomics keep apart, or that synchronisation does not order if it predicts.  `hash` is
// that of the partial order.  False: that order was read before.
bool tsl_monitor_read(tsl_monitor *monitor, const tsl_run *run, uint64_t *hash);

#endif
