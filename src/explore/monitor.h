// What a run shows beyond its outcome, for strategies that do not look themselves: its
// data races, and which partial order it is.
//
// Consecutive Traces often begin alike; what they share is read once.
#ifndef TSL_EXPLORE_MONITOR_H
#define TSL_EXPLORE_MONITOR_H

#include "explore/strategy.h"
#include "model/race.h"

typedef struct tsl_monitor {
    const tsl_race_sink *sink; // NULL: nobody asks
    tsl_history history;
    tsl_race_list races;
    tsl_events last; // the Trace the history is of
} tsl_monitor;

void tsl_monitor_init(tsl_monitor *monitor, const tsl_race_sink *sink);
void tsl_monitor_drop(tsl_monitor *monitor);

// Tells the sink of every pair that could have run right after one another; returns the
// hash of the partial order.
uint64_t tsl_monitor_read(tsl_monitor *monitor, const tsl_trace *trace);

#endif
