// Where things lie in the arena, behind the state and the fibers (abi/layout.h).
#ifndef TSLRT_ARENA_H
#define TSLRT_ARENA_H

#include "abi/layout.h"

#define TSLRT_OUTSIDE_AT (TSL_ARENA_ADDR + 0x1000000ul)
#define TSLRT_OUTSIDE_SIZE 0x1000000ul
#define TSLRT_SLOTS_AT (TSL_ARENA_ADDR + 0x2000000ul)
#define TSLRT_LOOPS_AT (TSL_ARENA_ADDR + 0x2800000ul)
#define TSLRT_FUNCTIONS_AT (TSL_ARENA_ADDR + 0x3100000ul)
#define TSLRT_FUNCTIONS_SIZE 0x200000ul
#define TSLRT_ALTSTACK_AT (TSL_ARENA_ADDR + 0x3800000ul)
#define TSLRT_ALTSTACK_SIZE 0x20000ul
#define TSLRT_RESTART_AT (TSL_ARENA_ADDR + 0x4000000ul)
#define TSLRT_KEYS_AT (TSL_ARENA_ADDR + 0x8000000ul) // TSLRT_MAX_KEYS words per thread, sparse
#define TSLRT_FILTERS_AT                                                                           \
    (TSL_ARENA_ADDR + 0xc000000ul) // a table for each thread that leaves out accesses
#define TSLRT_FILTER_SIZE 0x80000ul
#define TSLRT_EVENTS_AT (TSL_ARENA_ADDR + 0xe000000ul) // when nobody reads them
#define TSLRT_EVENTS_ROOM 32768
#define TSLRT_TRACE_AT (TSL_ARENA_ADDR + 0xf000000ul)
#define TSLRT_ZERO_AT (TSL_ARENA_ADDR + 0xff00000ul) // a page that stays zero

#endif
