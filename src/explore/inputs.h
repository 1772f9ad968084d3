// Which inputs does a Plan get?
//
// A search keeps sets of values, one per run, shared by everything that run has shown to be
// tried.  To take a branch the other way is to ask the solver for a set that leads along the same
// path up to the branch and then leaves it; everything else in the set stays as it was
// (thesis 4.1.5).  A race that is reversed needs no solver: nothing in front of it depends on
// what comes later, so the run's own inputs lead there too.
#ifndef TSL_EXPLORE_INPUTS_H
#define TSL_EXPLORE_INPUTS_H

#include "expr/import.h"
#include "model/run.h"
#include "solve/solver.h"
#include "trace/plan.h"

typedef struct tsl_input_value {
    uint32_t var;
    tsl_value value;
} tsl_input_value;

// The values of one run; number 0 is the empty set.
typedef struct tsl_input_set {
    TSL_VEC(tsl_input_value) values; // bytes of one input stand together
    uint32_t users;
} tsl_input_set;

typedef TSL_VEC(tsl_term) tsl_path_condition;

typedef struct tsl_inputs {
    tsl_terms *terms;
    tsl_vars vars;
    tsl_solver *solver; // NULL until a branch asks
    tsl_solver_options options;
    TSL_VEC(tsl_input_set) sets;
    TSL_VEC(uint32_t) spare;
    tsl_model model; // scratch
    TSL_VEC(uint8_t) bytes;
    uint64_t infeasible, unknown, optimistic;
    unsigned users;
} tsl_inputs;

// Those of another search in the same campaign, whose answers it shares; NULL: new ones.
tsl_inputs *tsl_inputs_get(tsl_inputs *shared, const tsl_solver_options *options);
void tsl_inputs_drop(tsl_inputs *in);

// What the run's conditions mean; the set is replaced by that of the run.  If answers are to be
// checked, every expression must have the value that the inputs give it.  False: the program has
// overwritten them.
bool tsl_inputs_read(tsl_inputs *in, tsl_import *nodes, const tsl_run *run, uint32_t *set);
// What holds of the inputs of a run that took the branch with this label in the way `taken` (enum
// tsl_branch_res).  No term: the label was not imported.
tsl_term tsl_inputs_condition(const tsl_inputs *in, const tsl_import *nodes, uint64_t label,
                              unsigned taken);
void tsl_inputs_hold(tsl_inputs *in, uint32_t set);
void tsl_inputs_release(tsl_inputs *in, uint32_t set);
// As the one set says, and of inputs it says nothing of, as the other says; for one user.
uint32_t tsl_inputs_join(tsl_inputs *in, uint32_t set, uint32_t other);
tsl_value tsl_inputs_value(tsl_inputs *in, uint32_t set, tsl_term term);
void tsl_inputs_to_plan(tsl_inputs *in, uint32_t set, tsl_plan *plan);

// Another set for which the path's conditions and the goal hold; `*set` is replaced by it.
enum tsl_sat tsl_inputs_solve(tsl_inputs *in, const tsl_path_condition *path, tsl_term goal,
                              uint32_t *set);

#endif
