// Coverage as the program tells it: which counters ("points") there are, and which were reached.
//
// The runner owns these tables; it has checked the three counts and nothing else.  `reached` grows
// while runs go on, and each Trace says how much of it belongs to its run and the runs before it
// (nreached, at most npoints).
#ifndef TSL_TRACE_COVER_H
#define TSL_TRACE_COVER_H

#include <stddef.h>

#include "abi/wire.h"

typedef struct tsl_cover_tables {
    const tsl_cover_func *funcs;
    const tsl_cover_place *places; // of the first function, then of the second, ...
    const uint32_t *reached;       // points, in the order in which runs came to them
    size_t nfuncs, nplaces, npoints;
} tsl_cover_tables;

#endif
