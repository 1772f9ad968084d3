// What a campaign found, in one place for every kind of report.
//
// Filled by the command line, read by text and JSON.  Numbers that nothing computes
// yet say so (`has_...` false) and become null, never a made-up 0.
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

typedef struct tsl_summary {
    const char *verdict;    // the claim in words, "bugs found", or how a replay ended
    const tsl_claim *claim; // how far the search got, and what weakens that; may be NULL
    const char *strategy;   // "random", "optimal", ...
    const char *program;    // may be NULL
    const char *story;      // what the strategy did, lines; may be NULL
    uint64_t seed;
    uint64_t executions;
    uint64_t blocked;       // runs cut as redundant
    bool begun_again;       // results could not be predicted: it took compare-and-swaps for writes
    uint64_t interleavings; // distinct trace hashes
    bool has_traces;        // distinct partial orders were counted
    uint64_t traces;
    uint64_t paths;        // distinct outcomes of the branches that depend on inputs
    uint64_t rejected;     // runs for which an assumption did not hold
    uint64_t mispredicted; // runs that went another way than their inputs should lead
    bool has_inputs;       // the program asks for some
    bool has_feedback;     // it sampled; and of the sampled runs:
    uint64_t mutated;      // of these, began like an earlier one
    uint64_t sampled;      // how many
    uint64_t successions;  // pairs of places that ran right after each other, of different threads
    uint64_t reads_from;   // pairs of a write and a read that saw it
    uint64_t last_order, last_pair; // number of the run that showed a new one last
    TSL_VEC(tsl_count) solver;
    tsl_stray_run stray;  // the first run that went another way than planned; run 0: none
    uint64_t unconfirmed; // pairs that looked like races and could not be shown
    uint64_t untried;     // and those that there was no time to look at
    double seconds;
    enum tsl_mode mode;
    unsigned workers;             // processes that ran at once
    uint64_t restarts;            // how often the program had to be started again
    const uint64_t *outcomes;     // runs by enum tsl_outcome; NULL: not counted
    tsl_exits exits;              // exit statuses of the runs that ended by themselves
    const char *mode_reason;      // why each run has its own process, or NULL
    const tsl_bugs *bugs;         // may be NULL: none
    const tsl_census *census;     // may be NULL
    const tsl_sites *sites;       // may be NULL
    tsl_symbols *symbols;         // may be NULL
    const tsl_coverage *coverage; // may be NULL
    enum tsl_same same;           // of a replay: the trace was the recorded one
} tsl_summary;

// Per second of the campaign; 0 when no time has passed.
double tsl_summary_rate(const tsl_summary *summary);

// How many of the bugs are data races.
uint64_t tsl_summary_races(const tsl_summary *summary);

// The last lines of a campaign on a terminal.
void tsl_summary_text(const tsl_summary *summary, tsl_buf *out);

#endif
