// A strategy turns runs into new Plans.
//
//     next    offers a Plan, or says that the strategy must see runs first, or that all is done
//     learn   is shown a Plan and its run (model/run.h), in the order in which Plans were offered
//
// One file per strategy; this header and tsl_strategies[] are all that others see.
#ifndef TSL_EXPLORE_STRATEGY_H
#define TSL_EXPLORE_STRATEGY_H

#include "explore/found.h"
#include "model/claim.h"
#include "model/prefix.h"
#include "solve/solver.h"

enum tsl_next { TSL_NEXT_PLAN, TSL_NEXT_WAIT, TSL_NEXT_DONE };

// What a strategy is told to do.
typedef struct tsl_search {
    uint64_t seed;
    uint64_t max_steps;         // of one run
    uint32_t flags;             // enum tsl_plan_flag, of every Plan
    bool random_order;          // explore in random order where any order would do
    int64_t preemptions;        // dfs, bounded optimal: most preemptions; negative means unlimited
    bool iterate;               // search with 0 preemptions, then with 1, and so on up to that
    const tsl_race_sink *races; // NULL: data races are not looked for
    uint32_t max_branches;      // most input branches of one run that are recorded
    unsigned path_order;        // paths: enum tsl_path_order
    tsl_solver_options solver;
    struct tsl_inputs *inputs; // shared with other strategies; NULL: the strategy makes its own
    uint64_t runs;             // budget in runs, for strategies that plan ahead; 0 means unlimited
    double seconds;            // budget in seconds; 0 means unlimited
    unsigned workers;          // runs that are executed at once; 0 means one
    bool preempt_all;          // samplers: any shared access is a preemption point
    uint32_t bug_depth;        // pct: bug depth; 0 means vary it from run to run
} tsl_search;

enum tsl_path_order { TSL_PATHS_BREADTH, TSL_PATHS_RANDOM, TSL_PATHS_COVERAGE }; // see paths.c

typedef struct tsl_strategy tsl_strategy;

typedef struct tsl_strategy_kind {
    const char *name, *help;
    bool samples;      // never ends by itself
    bool one_schedule; // runs threads under one schedule only
    bool analyses;     // sets `canon`, and reports data races itself
    tsl_strategy *(*new)(const tsl_search *search);
    enum tsl_next (*next)(tsl_strategy *strategy, tsl_plan *plan);
    void (*learn)(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run);
    void (*free)(tsl_strategy *strategy);
    // The events of an earlier run, if the next run to be learned probably begins with them; or NULL.
    const tsl_events *(*known)(const tsl_strategy *strategy);
    // Tells in words what was done; NULL: the name says it.
    void (*tell)(const tsl_strategy *strategy, tsl_buf *out);
    void (*check)(const tsl_strategy *strategy); // aborts if its data are inconsistent; or NULL
} tsl_strategy_kind;

struct tsl_strategy {
    const tsl_strategy_kind *kind;
    // About the run learned last.
    uint64_t canon;   // hash of its partial order; 0: an earlier run had the same order
    bool redundant;   // it shows no new order
    bool ignored;     // it was planned before the search began again
    bool begun_again; // the search begins again, and what was counted so far is void; the reader
                      // resets it
    bool strayed;     // it did not begin as planned: nothing was learned
    bool impossible;  // it was to wait for descriptors or signals where that was not possible
    // About all runs.
    tsl_claim claim;           // what weakens it; `reach` is set if all is done up to a bound
    double share;              // estimated share of the tree that was explored; 0: not known
    uint64_t mispredicted;     // runs that went another way than their inputs should lead
    uint64_t diverged;         // runs that strayed
    tsl_divergence divergence; // where the first of them left its way
    // What is known of them, or NULL.
    const struct tsl_feedback *feedback;
    const struct tsl_tallies *tallies;
    const struct tsl_inputs *inputs;
};

static inline const tsl_events *tsl_strategy_known(const tsl_strategy *strategy) {
    return strategy->kind->known ? strategy->kind->known(strategy) : NULL;
}

#define TSL_STRATEGY(id) extern const tsl_strategy_kind tsl_strategy_##id;
#include "explore/strategies.def"
#undef TSL_STRATEGY
// What optimal becomes when search.preemptions is not negative; see dfs.c.
extern const tsl_strategy_kind tsl_bounded_optimal;
extern const tsl_strategy_kind *const tsl_strategies[]; // ends with NULL

#endif
