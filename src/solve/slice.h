// Which conditions of a path matter for a goal?
//
//     slice(goal) = the least set of conditions that contains each one that shares a
//                   variable with the goal or with a condition of the slice
//
// What is outside keeps its variables, and so stays true (CUTE's incremental solving).  Paths of
// thousands of conditions are asked about once per condition, each time with one more or less, so the
// slicer keeps an index of the last path and looks only at what differs.
#ifndef TSL_SOLVE_SLICE_H
#define TSL_SOLVE_SLICE_H

#include "solve/query.h"

typedef struct tsl_slicer {
    tsl_terms *terms;
    tsl_term_vec path;            // the longest that was seen, as far as it is still the same
    tsl_u32_vec begin;            // by position in it: items before; one more than path
    tsl_term_vec items;           // its conjuncts, each once
    TSL_VEC(tsl_u32_vec) by_var;  // items that have a variable, ascending
    tsl_u32_vec item_of;          // by term, from 1
    tsl_u32_vec var_seen, chosen; // by variable: stamp; items of the slice
    tsl_u32_vec order;            // scratch
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
