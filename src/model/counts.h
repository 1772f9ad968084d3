// What did a campaign count?
//
// The campaign counts (explore/counting.c); text, JSON and the status line read.
#ifndef TSL_MODEL_COUNTS_H
#define TSL_MODEL_COUNTS_H

#include "model/prefix.h"

// The first run that went another way than planned.
typedef struct tsl_stray_run {
    uint64_t run;              // its number in the campaign, from 1; 0: there was none
    tsl_divergence divergence; // where it left its way, as far as that is known
    char because[TSL_MESSAGE]; // what the runtime said, or ""
} tsl_stray_run;

typedef struct tsl_counts {
    uint64_t executions;
    uint64_t interleavings; // distinct Traces; counted up to a bound
    bool interleavings_cut; // there may be more
    uint64_t traces;        // distinct partial orders; counted up to a bound
    uint64_t blocked;       // runs that were cut as redundant
    uint64_t repeated;     // runs of an order seen before, of a strategy that should not repeat one
    bool begun_again;      // the orders are counted from where the search began again
    uint64_t paths;        // distinct outcomes of input branches and choices; counted up to a bound
    uint64_t mispredicted; // runs that went another way than their inputs should lead
    uint64_t diverged;     // runs that did not begin as planned
    tsl_stray_run stray;   // the first of them
    uint64_t outcomes[TSL_OUT_COUNT]; // runs by how they ended
    uint64_t halted; // of those cut by the clock: runs in which a signal had stopped the program
    uint32_t flags;  // all flags that any Trace had (enum tsl_trace_flag)
    double seconds;
    uint64_t unconfirmed; // pairs of accesses that looked like a race and could not be shown
    uint64_t untried;     // and pairs that there was no time to look at
} tsl_counts;

#endif
