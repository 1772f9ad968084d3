// The interface to Z3.  For the files of this room only.
#ifndef TSL_SOLVE_Z3_H
#define TSL_SOLVE_Z3_H

#include "solve/query.h"

typedef struct tsl_z3 tsl_z3;

// Can all these conditions hold at once?  With SAT, variables in Z3's model have its values.
enum tsl_sat tsl_z3_ask(tsl_z3 *z, tsl_query *q, const tsl_term *conds, size_t n);

#endif
