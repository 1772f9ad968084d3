// A strategy turns runs into new Plans.
//
//     next    offers a Plan, or says that it must see runs first, or that all is done
//     learn   is shown a Plan and its run (model/run.h), in the order they were offered
//
// One file per strategy; this header and tsl_strategies[] are all that others see.
#ifndef TSL_EXPLORE_STRATEGY_H
#define TSL_EXPLORE_STRATEGY_H

#include "base/buf.h"
#include "model/claim.h"
#include "model/prefix.h"
#include "model/sync.h"
#include "solve/solver.h"

// How two accesses were found to race.
enum tsl_found_how {
    TSL_FOUND_ADJACENT,  // nothing has to come between them
    TSL_FOUND_UNORDERED, // no synchronisation orders them, but something that the one reads may
                         // decide whether the other is made
    TSL_FOUND_WEAK,      // they may never come right behind one another, but only atomics that are
                         // too weak for it seem to order them
    TSL_FOUND_TOUCHED,   // one is a call of unknown code that is handed what the other accesses:
                         // whether they race is not known
    TSL_FOUND_INSIDE     // one reads bytes of a synchronisation object that the other changes: the
                         // other order is not tried (model/inside.h)
};

// Two accesses of one run that race.
typedef struct tsl_found {
    const tsl_history *history;
    uint32_t first, second; // the second is the history's last step, but for WEAK
    enum tsl_found_how how;
    const tsl_sync *sync; // what orders them, as far as it was read; not of ADJACENT
} tsl_found;

// Told of two accesses that race; the same pair may come again and again.
typedef struct tsl_race_sink {
    void *self;
    void (*found)(void *self, const tsl_found *found);
} tsl_race_sink;

// Tells the sink of two steps that can stand next to each other, if they race or may do so.
void tsl_race_tell(const tsl_race_sink *sink, const tsl_history *h, uint32_t first,
                   uint32_t second);

enum tsl_next { TSL_NEXT_PLAN, TSL_NEXT_WAIT, TSL_NEXT_DONE };

// What every Plan of a campaign has in common.
typedef struct tsl_search {
    uint64_t seed;
    uint64_t max_steps;
    uint32_t flags;             // enum tsl_plan_flag
    bool random_order;          // where any order will do, a random one
    int64_t preemptions;        // dfs, bounded optimal: at most so many; negative: any
    bool iterate;               // from 0 up to that
    const tsl_race_sink *races; // NULL: nobody asks
    uint32_t max_branches;      // of one run that depend on inputs
    unsigned path_order;        // enum tsl_path_order, of `paths`
    tsl_solver_options solver;
    struct tsl_inputs *inputs; // what others know of them, to be shared; or NULL
    uint64_t runs;             // the budget, for who plans with it; 0: any number
    double seconds;            // 0: any time
    unsigned workers;          // runs that go on at once; 0: one
    bool preempt_all;          // samplers: any shared access is a preemption point
    uint32_t bug_depth;        // pct: bug depth; 0 means vary it from run to run
} tsl_search;

enum tsl_path_order { TSL_PATHS_BREADTH, TSL_PATHS_RANDOM, TSL_PATHS_COVERAGE }; // see paths.c

typedef struct tsl_strategy tsl_strategy;

typedef struct tsl_strategy_kind {
    const char *name, *help;
    bool samples;      // true: it never ends by itself
    bool one_schedule; // true: threads run under one schedule
    bool analyses;     // true: it sets `canon` and reports data races itself
    tsl_strategy *(*new)(const tsl_search *search);
    enum tsl_next (*next)(tsl_strategy *strategy, tsl_plan *plan);
    void (*learn)(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run);
    void (*free)(tsl_strategy *strategy);
    void (*tell)(const tsl_strategy *strategy, tsl_buf *out); // what it did; NULL: its name says it
} tsl_strategy_kind;

struct tsl_strategy {
    const tsl_strategy_kind *kind;
    uint64_t canon;   // hash of the partial order of the run learned last; 0: one seen before
    bool redundant;   // that run need not have been
    bool ignored;     // the run was from before the search began again
    bool begun_again; // what was counted before does not count; the campaign takes it back
    tsl_claim claim;  // why something may have been left out; its reach is the campaign's to say
    double share;     // of the tree explored so far, estimated; 0: unknown
    const struct tsl_feedback *feedback; // of samplers, or NULL
    const struct tsl_tallies *tallies;   // the same
    const struct tsl_inputs *inputs;     // what it knows of them, or NULL
    uint64_t mispredicted;               // runs that went another way than their inputs should lead
    bool strayed;      // the run learned last did not begin as planned: nothing was learned
    bool impossible;   // or it was to wait for descriptors or signals where that was not possible
    uint64_t diverged; // runs that did not
    tsl_divergence divergence; // where the first of them left its way
    bool bounded;              // done, but for runs with more than `bound` preemptions
    uint32_t bound;
    uint32_t bounds_done; // so many, from 0 on, are searched completely
};

extern const tsl_strategy_kind tsl_strategy_portfolio, tsl_strategy_optimal, tsl_strategy_source,
    tsl_strategy_dpor_cr_sleep, tsl_strategy_dpor_cr, tsl_strategy_dpor, tsl_strategy_raceflip_opt,
    tsl_strategy_raceflip, tsl_strategy_raceflip_simple, tsl_strategy_dfs, tsl_strategy_paths;
#define TSL_SAMPLER(NAME, name, wants, help) extern const tsl_strategy_kind tsl_strategy_##name;
#include "abi/samplers.def"
#undef TSL_SAMPLER
// What optimal becomes when search.preemptions is not negative; see dfs.c.
extern const tsl_strategy_kind tsl_bounded_optimal;
extern const tsl_strategy_kind *const tsl_strategies[]; // ends with NULL

#endif
