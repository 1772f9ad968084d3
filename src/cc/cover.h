// Which lines, and which outcomes of branches, does a run reach?
//
// Each function gets coverage points: bytes of a map that is not the program's memory
// (abi/wire.h).  A point is set by one store, at the start of a basic block or before its branch:
//
//     cover[k] = 1;                  cover[k + condition] = 1;
//
// The store is volatile, so that it is done when the block is entered, whatever happens later.
// The outcomes of a branch are the blocks it leads to, each with no other way in (critical edges
// have been split, relax.h).  A branch that might become a conditional move, or a `?:` that became
// a select, stores to one of two points before it jumps, and these blocks need no store.
//
// A block needs no store of its own either when it follows another block without a choice, when it
// only computes a condition (the head of most loops: one of its outcomes stores), or when the
// points of other blocks cover all its lines.
#ifndef TSL_CC_COVER_H
#define TSL_CC_COVER_H

#include "abi/wire.h"
#include "cc/lines.h"

struct tsl_weaver;

typedef struct tsl_cover {
    TSL_VEC(tsl_cover_func) funcs;
    TSL_VEC(tsl_cover_place) places;
    uint32_t npoints;
    uint32_t folder; // string
    LLVMValueRef at; // pointer to the first point, set by the runtime when the module registers
    tsl_lines lines;
} tsl_cover;

void tsl_cover_init(struct tsl_weaver *w);
void tsl_cover_drop(tsl_cover *c);

// Called after all other hooks are inserted, because they must not see these stores.
void tsl_cover_function(struct tsl_weaver *w);

// The tables as constants of the module.
LLVMValueRef tsl_cover_emit_funcs(struct tsl_weaver *w);
LLVMValueRef tsl_cover_emit_places(struct tsl_weaver *w);

#endif
