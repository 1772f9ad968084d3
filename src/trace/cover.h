// Coverage as the program tells it: what its points are, and which were reached.
//
// Borrowed from whoever runs the program, who has checked the three counts and nothing else.
// `reached` grows while runs go on; each Trace says how much of it belongs to the runs
// up to its own (nreached, at most npoints).
#ifndef TSL_TRACE_COVER_H
#define TSL_TRACE_COVER_H

#include <stddef.h>

#include "abi/wire.h"

typedef struct tsl_cover_tables {
    const tsl_cover_func *funcs;
    const tsl_cover_place *places; // those of the first function, those of the second, ...
    const uint32_t *reached;       // points, in the order in which runs came to them
    size_t nfuncs, nplaces, npoints;
} tsl_cover_tables;

#endif
