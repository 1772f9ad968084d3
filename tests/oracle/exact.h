// With which probability does a sampler take each partial order of a model program?
//
// Computed from the definitions by going through everything that can be drawn, with its
// probability; shares nothing with the samplers (rt/policy) but what conflicts.  Priorities are
// real numbers: only their order matters, and a new one is as likely to come anywhere between
// those drawn before.
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

// Of runs that begin with the Plan's prefix and go on by its policy.
void tsl_exact_init(tsl_exact *exact, const tsl_vm_program *program, const tsl_plan *plan);
void tsl_exact_drop(tsl_exact *exact);

#endif
