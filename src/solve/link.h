// What is a link of the chain?  For the files of this room only.
#ifndef TSL_SOLVE_LINK_H
#define TSL_SOLVE_LINK_H

#include "solve/query.h"

typedef struct tsl_z3 tsl_z3; // the state of the link that asks Z3

typedef struct tsl_chain {
    tsl_terms *terms;
    tsl_solver_options options;
    tsl_z3 *z3;      // the state of its link
    bool optimistic; // set by the link that answers: the model satisfies only the goal
} tsl_chain;

typedef struct tsl_link {
    size_t size; // of the state that the link keeps between questions, which is all zero at first
    void (*begin)(void *self, tsl_chain *chain); // fills it in; may be NULL
    void (*drop)(void *self);                    // frees what it points to; NULL: nothing
    // UNKNOWN passes the question on.  With SAT the model is a solution; otherwise the caller
    // undoes changes that are left in the model.
    enum tsl_sat (*solve)(void *self, tsl_query *q);
    // Is told the answer to a question that the link passed on; may be NULL.
    void (*learn)(void *self, const tsl_query *q, enum tsl_sat answer);
} tsl_link;

#define TSL_LINK(NAME, name, doc) extern const tsl_link tsl_link_##name;
#include "solve/links.def"
#undef TSL_LINK

// Can all these conditions hold at once?  With SAT, variables in Z3's model have its values.
enum tsl_sat tsl_z3_ask(tsl_z3 *z, tsl_query *q, const tsl_term *conds, size_t n);

#endif
