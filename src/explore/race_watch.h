// Which data races does a run show, and which partial order is it?
//
// For strategies that do not answer these questions themselves.  Many runs have the same partial
// order: a digest of the run tells that before the run is read.  And consecutive runs often begin
// alike: what they have in common is read once.
#ifndef TSL_EXPLORE_RACE_WATCH_H
#define TSL_EXPLORE_RACE_WATCH_H

#include "explore/found.h"
#include "model/digest.h"
#include "model/prefix.h"

typedef struct tsl_race_watch {
    const tsl_race_sink *sink; // NULL: races are not looked for
    tsl_history history;
    tsl_sync ordered;   // what synchronisation orders; only if `predicts`
    tsl_sync by_clocks; // the same, but races order, too; only of runs with weak atomics
    tsl_race_list races;
    bool predicts;
    tsl_prefix last; // the events of the run that the history was read from
    tsl_digest digest;
    tsl_map digests; // from the digest of each run that was read to the hash of its order
} tsl_race_watch;

// `predicts`: pairs of accesses that are far apart in the run are told, too, if no synchronisation
// orders them.  A search meets them next to each other sooner or later, but samplers may not.
void tsl_race_watch_init(tsl_race_watch *watch, const tsl_race_sink *sink, bool predicts);
void tsl_race_watch_drop(tsl_race_watch *watch);

// Reads a run, unless a run of the same order was read before: then it returns false.  The hash of
// the order goes to `hash` in either case.
bool tsl_race_watch_read(tsl_race_watch *watch, const tsl_run *run, uint64_t *hash);

#endif
