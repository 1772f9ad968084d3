// Which inputs lead down the other branch?
//
// A run went down a path: conditions that hold under its inputs.  The solver changes as few inputs as it
// can so that the conditions still hold, and one more (the negation of a branch the run took) holds too:
//
//     solve(path, goal, model)  =  model' with  path and goal true,  or UNSAT, or UNKNOWN
//
// It is a chain of links with one job each (links.def), cheap ones first; the first that knows
// answers.  Slicing, the syntactic contradiction and the preference for old values are those of
// CUTE (K. Sen, "Scalable Automated Methods for Dynamic Program Analysis", 2006, 4.1.5), the chain
// and its caches those of KLEE.  Only z3.c knows Z3.
//
// Nothing but time-outs can make an answer differ from one time to the next.
#ifndef TSL_SOLVE_SOLVER_H
#define TSL_SOLVE_SOLVER_H

#include "base/err.h"
#include "expr/term.h"

enum tsl_sat { TSL_SAT, TSL_UNSAT, TSL_UNKNOWN };

enum tsl_link_kind {
#define TSL_LINK(NAME, name, doc) TSL_LINK_##NAME,
#include "solve/links.def"
#undef TSL_LINK
    TSL_LINK_COUNT
};

typedef struct tsl_solver_options {
    double seconds;      // for one question, Z3 only; 0: no limit
    const char *log_dir; // NULL, or where each question is written as query-000001.smt2
    tsl_err *log_err;    // NULL, or filled when one of them can't be written
    bool check;          // each model is evaluated, each cheap UNSAT is put to Z3
    uint64_t seed;       // of the local search
    uint32_t without;    // links to leave out, 1 << enum tsl_link_kind; for tests
} tsl_solver_options;

typedef struct tsl_link_stats {
    uint64_t asked, sat, unsat;
    double seconds;
} tsl_link_stats;

typedef struct tsl_solver_stats {
#define TSL_SOLVER_STAT(name, doc) uint64_t name;
#include "solve/stats.def"
#undef TSL_SOLVER_STAT
    tsl_link_stats links[TSL_LINK_COUNT];
} tsl_solver_stats;

extern const char *const tsl_link_names[TSL_LINK_COUNT];

typedef struct tsl_solver tsl_solver;

tsl_solver *tsl_solver_new(tsl_terms *terms, const tsl_solver_options *options);
void tsl_solver_free(tsl_solver *solver);

// `path`: n conditions (terms of width 1) that all hold under *model; `goal`: one that need not.  With
// TSL_SAT the model is changed, in as few variables as were found necessary; else not at all.
enum tsl_sat tsl_solver_solve(tsl_solver *solver, const tsl_term *path, size_t n, tsl_term goal,
                              tsl_model *model);

// The last TSL_SAT was for the goal alone: the path may turn off before it gets there.
bool tsl_solver_last_was_optimistic(const tsl_solver *solver);

const tsl_solver_stats *tsl_solver_statistics(const tsl_solver *solver);

#endif
