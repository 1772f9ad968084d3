// What are reports told about a campaign?
//
// The command line collects pointers to what each part of the campaign knows; text and JSON read
// them.  What is not known is NULL and becomes null in JSON, never a made-up 0.
#ifndef TSL_REPORT_SUMMARY_H
#define TSL_REPORT_SUMMARY_H

#include "model/claim.h"
#include "report/bug.h"
#include "report/cover.h"
#include "report/divergence.h"
#include "report/exits.h"

enum tsl_same { TSL_SAME_NOT_ASKED, TSL_SAME_NO, TSL_SAME_YES };

// One of the solver's numbers.
typedef struct tsl_count {
    const char *name;
    uint64_t value;
} tsl_count;

// Does sampling still find new behaviour?  See explore/feedback.h.
typedef struct tsl_novelty {
    uint64_t runs;                  // samples
    uint64_t mutated;               // of these, samples that began like an earlier one
    uint64_t successions;           // pairs of places that ran right after each other
    uint64_t reads_from;            // pairs of a write and a read that saw it
    uint64_t last_order, last_pair; // number of the sample that showed a new one last
} tsl_novelty;

typedef struct tsl_summary {
    const char *verdict;      // the claim in words, "bugs found", or how a replay ended
    const tsl_claim *claim;   // NULL: a replay claims nothing
    const tsl_counts *counts; // never NULL
    const char *strategy;     // "random", "optimal", ...
    const char *program;
    const char *story; // lines that tell what the strategy did
    uint64_t seed;
    bool has_traces;            // partial orders were counted
    const tsl_novelty *novelty; // NULL: nothing was sampled
    TSL_VEC(tsl_count) solver;
    const tsl_exits *exits; // exit statuses of the runs that ended by themselves
    enum tsl_mode mode;
    const char *mode_reason; // why each run has its own process
    unsigned workers;        // processes that ran at once
    uint64_t restarts;       // how often the program had to be started again
    const tsl_bugs *bugs;
    const tsl_census *census;
    const tsl_sites *sites;
    tsl_symbols *symbols;
    const tsl_coverage *coverage;
    enum tsl_same same; // of a replay: is the Trace the recorded one?
} tsl_summary;

// Executions per second; 0 when no time has passed.
double tsl_summary_rate(const tsl_summary *summary);

// How many of the bugs are data races.
uint64_t tsl_summary_races(const tsl_summary *summary);

// The last lines of a campaign on a terminal.
void tsl_summary_text(const tsl_summary *summary, tsl_buf *out);

#endif
