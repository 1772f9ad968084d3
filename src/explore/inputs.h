// Which inputs does a Plan get?
//
// A search keeps sets of values, one for each run, shared by everything that this run has shown to be
// worth trying.  To take the other side of a branch, the solver is asked for a set that leads along
// the same path up to the branch and then leaves it; all other values in the set stay as they were
// (thesis 4.1.5).  The reversal of a race needs no solver: nothing in front of the race depends on what
// comes later, so the inputs of the run lead there, too.
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
    uint64_t infeasible, unknown, optimistic; // answers of the solver
    unsigned users;
} tsl_inputs;

// `shared` are the inputs of another search in the same campaign; NULL: the search gets its own.
tsl_inputs *tsl_inputs_get(tsl_inputs *shared, const tsl_solver_options *options);
void tsl_inputs_drop(tsl_inputs *in);

// Imports the expressions of the run, and replaces the set by the values that the run had.  If answers
// are to be checked, every expression must have the value that the inputs give it.  False: the program
// has overwritten its expressions.
bool tsl_inputs_read(tsl_inputs *in, tsl_import *nodes, const tsl_run *run, uint32_t *set);
// The condition that the inputs of a run meet if it took the branch with this label in the way `taken`
// (enum tsl_branch_res).  No term: the label was not imported.
tsl_term tsl_inputs_condition(const tsl_inputs *in, const tsl_import *nodes, uint64_t label,
                              unsigned taken);
void tsl_inputs_hold(tsl_inputs *in, uint32_t set);
void tsl_inputs_release(tsl_inputs *in, uint32_t set);
// A new set, for one user: the values of `set`, and for inputs without a value there, those of `other`.
uint32_t tsl_inputs_join(tsl_inputs *in, uint32_t set, uint32_t other);
tsl_value tsl_inputs_value(tsl_inputs *in, uint32_t set, tsl_term term);
void tsl_inputs_to_plan(tsl_inputs *in, uint32_t set, tsl_plan *plan);

// Replaces `*set` by a set that meets the conditions of the path and the goal.
enum tsl_sat tsl_inputs_solve(tsl_inputs *in, const tsl_path_condition *path, tsl_term goal,
                              uint32_t *set);

#endif
