// Coverage as the program tells it: what its points are, and which were reached.
//
// Borrowed from whoever runs the program, who has checked the three counts and nothing else.
// The map changes while runs go on: bytes become 1.
#ifndef TSL_TRACE_COVER_H
#define TSL_TRACE_COVER_H

#include <stddef.h>

#include "abi/wire.h"

typedef struct tsl_cover_tables {
    const tsl_cover_func *funcs;
    const tsl_cover_place *places; // those of the first function, those of the second, ...
    const uint8_t *map;            // one byte per point
    size_t nfuncs, nplaces, npoints;
} tsl_cover_tables;

#endif
