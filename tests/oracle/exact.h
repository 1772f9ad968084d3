// With which probability does a sampler take each order of a model program?
//
// The answer is computed from the definition of the sampler: everything that it can draw is gone
// through, with its probability.  Nothing is shared with the samplers (rt/policy) but the rule of
// what conflicts.  Priorities are real numbers.  Only their order matters, and a new one is equally
// likely to fall into each gap between those drawn before.
#ifndef TSL_ORACLE_EXACT_H
#define TSL_ORACLE_EXACT_H

#include "trace/plan.h"
#include "vm/machine.h"

typedef struct tsl_exact_order {
    uint64_t canon;
    double p;
    bool shows; // word 3 holds 1 at the end: what the program is about
} tsl_exact_order;

typedef struct tsl_exact {
    TSL_VEC(tsl_exact_order) orders;
    double shows; // together
} tsl_exact;

// Computes this for runs that begin with the Plan's prefix and go on by its policy.
void tsl_exact_init(tsl_exact *exact, const tsl_vm_program *program, const tsl_plan *plan);
void tsl_exact_drop(tsl_exact *exact);

#endif
