// Which inputs does a Plan get?
//
// A search keeps sets of values, one for each run.  Everything that the run has shown to be untried
// shares its set.  To take an input branch the other way, the search asks the solver for a set that
// leads along the same path up to the branch and then leaves the path; everything else in the set
// stays as it was (thesis 4.1.5).  To reverse a race takes no solver: the steps before the race do
// not depend on what comes later, so the run's own inputs lead there, too.
#ifndef TSL_EXPLORE_INPUTS_H
#define TSL_EXPLORE_INPUTS_H

#include "expr/import.h"
#include "model/run.h"
#include "solve/solver.h"

typedef struct tsl_input_value {
    uint32_t var;
    tsl_value value;
} tsl_input_value;

// The values of one run.  Set number 0 is empty.
typedef struct tsl_input_set {
    TSL_VEC(tsl_input_value) values; // the bytes of one input stand together
    uint32_t users;
} tsl_input_set;

typedef TSL_VEC(tsl_term) tsl_path_condition;

typedef struct tsl_inputs {
    tsl_terms *terms;
    tsl_vars vars;
    tsl_solver *solver; // NULL until it is first asked
    tsl_solver_options options;
    TSL_VEC(tsl_input_set) sets;
    TSL_VEC(uint32_t) spare; // sets without users
    tsl_model model;         // scratch
    TSL_VEC(uint8_t) bytes;
    uint64_t infeasible, unknown, optimistic;
    unsigned users;
} tsl_inputs;

// Joins the inputs of another search in the same campaign, and so shares its answers; makes new
// ones if `shared` is NULL.
tsl_inputs *tsl_inputs_get(tsl_inputs *shared, const tsl_solver_options *options);
void tsl_inputs_drop(tsl_inputs *in);

// Imports the expressions of a run, and replaces `*set` by the run's own set.  If answers are to be
// checked, every expression must have the value that the inputs give it.  Returns false if the
// program has overwritten the expressions.
bool tsl_inputs_read(tsl_inputs *in, tsl_import *import, const tsl_run *run, uint32_t *set);
// The condition on the inputs under which the branch with this label goes the way `taken` (enum
// tsl_branch_res).  Returns no term if the label was not imported.
tsl_term tsl_inputs_condition(const tsl_inputs *in, const tsl_import *import, uint64_t label,
                              unsigned taken);
// A set lives as long as it has users.
void tsl_inputs_hold(tsl_inputs *in, uint32_t set);
void tsl_inputs_release(tsl_inputs *in, uint32_t set);
// A new set, with one user: the values of `set`, and those of `other` for inputs that `set` lacks.
uint32_t tsl_inputs_join(tsl_inputs *in, uint32_t set, uint32_t other);
tsl_value tsl_inputs_value(tsl_inputs *in, uint32_t set, tsl_term term);
void tsl_inputs_to_plan(tsl_inputs *in, uint32_t set, tsl_plan *plan);

// Solves for a set under which the conditions of the path and the goal hold.  If there is one, it
// replaces `*set`.
enum tsl_sat tsl_inputs_solve(tsl_inputs *in, const tsl_path_condition *path, tsl_term goal,
                              uint32_t *set);

#endif
