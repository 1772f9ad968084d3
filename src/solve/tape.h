// The terms of a question, in an order to compute them in.  For the files of this room only.
//
// Operands come before the terms that use them and are referred to by their places, so passes up
// and down are plain loops over an array.
#ifndef TSL_SOLVE_TAPE_H
#define TSL_SOLVE_TAPE_H

#include "solve/query.h"

typedef struct tsl_tape_node {
    uint8_t op, width;
    uint16_t extra;
    uint8_t arity;
    uint32_t operands[3]; // places
    tsl_term t;
} tsl_tape_node;

typedef struct tsl_tape {
    TSL_VEC(tsl_tape_node) nodes;
    tsl_u32_vec place; // by term: its node + 1; valid only if that node has this term
    tsl_u32_vec todo;
} tsl_tape; // all zero is a valid start

void tsl_tape_drop(tsl_tape *tape);

// Returns false if there are more than `most` nodes.
bool tsl_tape_write(tsl_tape *tape, const tsl_query *q, size_t most);

uint32_t tsl_tape_place(const tsl_tape *tape, tsl_term t); // the term must be on the tape

#endif
