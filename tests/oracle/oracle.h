// Does a strategy see everything that a model program can do, and nothing twice?
//
// The strategy runs to its end on the model runner.  What it saw is compared with what brute force
// saw: the classes of equivalent interleavings, the final states, the deadlocks.
#ifndef TSL_ORACLE_ORACLE_H
#define TSL_ORACLE_ORACLE_H

#include "explore/strategy.h"
#include "vm/brute.h"
#include "vm/runner.h"

typedef struct tsl_oracle_options {
    bool every_interleaving; // each exactly once (no reduction); needs brute force not eager
    bool optimal;            // each class exactly once, no run cut as redundant
    bool no_duplicates;      // no class twice; cut runs are allowed
    int preemptions;         // -1, or only classes with at most that many are asked for ...
    bool may_exceed;         // ... and others are allowed too
    bool ends_only;          // outlines of ends are compared, and nothing else
    bool iterate;            // the bound grows from 0 up to that
    uint64_t max_executions; // 0: a few times the number of interleavings
} tsl_oracle_options;

typedef struct tsl_oracle_report {
    uint64_t executions, blocked, stopped, duplicates;
    bool unsure;              // the strategy itself does not claim to be complete
    bool coarse;              // it began again, and counted every compare-and-swap as a write
    uint64_t infeasible;      // outcomes of branches that no inputs lead to
    uint64_t classes, wanted; // seen; there are
    char failure[256];        // empty: none
} tsl_oracle_report;

typedef struct tsl_oracle tsl_oracle;
tsl_oracle *tsl_oracle_new(void); // memory that is used again and again
void tsl_oracle_free(tsl_oracle *oracle);
// From now on strategies explore in a random order wherever any order will do; seed 0 ends this.
void tsl_oracle_shuffle(tsl_oracle *oracle, uint64_t seed);
// Searches plan for this many runs at once.
void tsl_oracle_workers(tsl_oracle *oracle, unsigned workers);

// Returns true if all is as it must be.
bool tsl_oracle_strategy(tsl_oracle *oracle, const tsl_vm_program *program,
                         const tsl_vm_brute *brute, const tsl_strategy_kind *kind,
                         const tsl_oracle_options *options, tsl_oracle_report *report);

#endif
