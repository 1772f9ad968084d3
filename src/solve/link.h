// What a link of the chain looks like; for the files of this room only.
#ifndef TSL_SOLVE_LINK_H
#define TSL_SOLVE_LINK_H

#include "solve/query.h"
#include "solve/z3.h"

typedef struct tsl_chain {
    tsl_terms *terms;
    tsl_solver_options options;
    tsl_z3 *z3;
    bool optimistic; // the link that answers says so
} tsl_chain;

typedef struct tsl_link {
    // What it keeps from one question to the next; NULL if that is nothing.
    void *(*make)(tsl_chain *chain);
    void (*drop)(void *self);
    // UNKNOWN passes the question on.  With SAT the model is a solution, else the changes that
    // are left in it are taken back.
    enum tsl_sat (*solve)(void *self, tsl_query *q);
    // Told how a question ended that went past it; may be NULL.
    void (*learn)(void *self, const tsl_query *q, enum tsl_sat answer);
} tsl_link;

#define TSL_LINK(NAME, name, doc) extern const tsl_link tsl_link_##name;
#include "solve/links.def"
#undef TSL_LINK

#endif
