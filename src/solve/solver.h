// Which inputs make a run take the other side of a branch?
//
// The path of a run is a list of conditions that hold under its inputs.  The solver changes as few
// inputs as it can so that these conditions still hold, and one more condition (the negation of a
// branch that the run took) holds, too:
//
//     solve(path, goal, model)  =  model' under which path and goal hold,  or UNSAT, or UNKNOWN
//
// The solver is a chain of links with one job each (links.def), cheap ones first; the first link
// that can answer does.  Slicing, the syntactic contradiction and the preference for old values are
// from CUTE (K. Sen, "Scalable Automated Methods for Dynamic Program Analysis", 2006, 4.1.5), the
// chain and its caches from KLEE.  Only z3.c uses Z3.
//
// Answers are the same every time, except for timeouts.
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
    double seconds;      // limit for one question to Z3; 0: no limit
    const char *log_dir; // folder to which each question is written as query-000001.smt2, or NULL
    tsl_err *log_err;    // filled if a question can't be written, or NULL
    bool check;          // evaluate each model, and ask Z3 about each UNSAT of another link
    uint64_t seed;       // of the local search
    uint32_t without;    // links to leave out, as bits 1 << enum tsl_link_kind; for tests
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

// `path` is n conditions (terms of width 1) that all hold under *model, `goal` one that need not.
// Only TSL_SAT changes the model, in as few variables as seem necessary.
enum tsl_sat tsl_solver_solve(tsl_solver *solver, const tsl_term *path, size_t n, tsl_term goal,
                              tsl_model *model);

// Was the last TSL_SAT for the goal alone?  The run may then leave the path before the goal.
bool tsl_solver_last_was_optimistic(const tsl_solver *solver);

const tsl_solver_stats *tsl_solver_statistics(const tsl_solver *solver);

#endif
