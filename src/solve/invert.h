// What would the variables have to be for a term to have a given value?
//
// A walk from the term down to variables, turning each operator round on the way: x + 3 = 10
// wants x = 7.  Where there is a choice (which of two operands, which of several values) the walk
// takes one and can be asked for the next; operands that are not walked down keep their
// value.  What comes out is a proposal: who asks has to check it.
//
// The idea is that of propagation-based local search (Niemetz, Preiner, Biere, "Precise and Complete
// Propagation Based Local Search for Satisfiability Modulo Theories", CAV 2016).
#ifndef TSL_SOLVE_INVERT_H
#define TSL_SOLVE_INVERT_H

#include "solve/query.h"

enum { TSL_INVERT_CHOICES = 24 };

typedef struct tsl_wish {
    tsl_term t;
    tsl_value v;
} tsl_wish;

typedef struct tsl_inverter {
    // The choices of this walk: the one taken, and how many there are.
    struct {
        uint8_t taken, of;
    } choices[TSL_INVERT_CHOICES];
    unsigned len, at;
    TSL_VEC(tsl_wish) todo;
} tsl_inverter;

void tsl_inverter_drop(tsl_inverter *in);

// Starts with the first choices.
void tsl_inverter_begin(tsl_inverter *in);

// Goes through the same choices again; to be called before the first of the proposals that
// are made together.
void tsl_inverter_restart(tsl_inverter *in);

// Sets variables of the query's model so that t may get the value v, by the choices as they are.  False:
// these choices lead nowhere; the changes that were made have to be taken back.  Values of other terms
// are those of the last tsl_query_refresh.
bool tsl_inverter_propose(tsl_inverter *in, tsl_query *q, tsl_term t, tsl_value v);

// To the next choices; false if there are none.
bool tsl_inverter_next(tsl_inverter *in);

#endif
