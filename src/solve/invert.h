// Which values must the variables have so that a term has a given value?
//
// A walk goes from the term down to variables and inverts each operator on the way: x + 3 = 10
// wants x = 7.  Where there is a choice (which of two operands, which of several values) the walk
// takes one, and can be repeated with the next; the other operands keep their values.  The result
// is only a proposal, which the caller has to check.
//
// The idea is that of propagation-based local search (Niemetz, Preiner, Biere, "Precise and
// Complete Propagation Based Local Search for Satisfiability Modulo Theories", CAV 2016).
#ifndef TSL_SOLVE_INVERT_H
#define TSL_SOLVE_INVERT_H

#include "solve/query.h"

enum { TSL_INVERT_CHOICES = 24 };

typedef struct tsl_wish {
    tsl_term t;
    tsl_value v;
} tsl_wish;

typedef struct tsl_inverter {
    // The choices of this walk: the alternative taken, and the number of alternatives.
    struct {
        uint8_t taken, of;
    } choices[TSL_INVERT_CHOICES];
    unsigned len, at;
    TSL_VEC(tsl_wish) todo;
} tsl_inverter;

void tsl_inverter_drop(tsl_inverter *in);

// Starts with the first alternative of each choice.
void tsl_inverter_begin(tsl_inverter *in);

// Goes back to the first choice.  Called before the first of several proposals that are made
// together and share one sequence of choices.
void tsl_inverter_restart(tsl_inverter *in);

// Sets variables of the query's model so that t may get the value v, by the current choices.
// Returns false if these choices lead nowhere; the caller must then undo the changes.  Values of
// other terms are those of the last tsl_query_refresh.
bool tsl_inverter_propose(tsl_inverter *in, tsl_query *q, tsl_term t, tsl_value v);

// Moves to the next sequence of choices; false if there is none.
bool tsl_inverter_next(tsl_inverter *in);

#endif
