// Which conditions of a path matter for a goal?
//
//     slice(goal) = the least set of conditions that contains each condition that shares a
//                   variable with the goal or with a condition of the slice
//
// Variables of conditions outside the slice do not change, so these stay true (CUTE's incremental
// solving).  A path of thousands of conditions has a question for each of them, about one condition
// more or less each time.  So the slicer indexes the last path, and looks only at the difference.
#ifndef TSL_SOLVE_SLICE_H
#define TSL_SOLVE_SLICE_H

#include "solve/query.h"

typedef struct tsl_slicer {
    tsl_terms *terms;
    tsl_term_vec path;            // the path that is indexed; questions may be about a prefix of it
    tsl_u32_vec begin;            // by index in `path`, and its end: number of items before
    tsl_term_vec items;           // conjuncts of the path's conditions, each once
    TSL_VEC(tsl_u32_vec) by_var;  // by variable: the items that contain it, ascending
    tsl_u32_vec item_of;          // by term: its item + 1
    tsl_u32_vec var_seen, chosen; // by variable: stamp; the items of the slice
    tsl_term_vec parts;           // scratch
    uint32_t stamp;
    tsl_u32_vec item_seen; // by item: stamp
} tsl_slicer;

void tsl_slicer_init(tsl_slicer *s, tsl_terms *terms);
void tsl_slicer_drop(tsl_slicer *s);

// Opens, fills and closes the query.
void tsl_slicer_cut(tsl_slicer *s, const tsl_term *path, size_t n, tsl_term goal, tsl_model *model,
                    tsl_query *q);

#endif
