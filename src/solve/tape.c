// Writes the terms of a question in order; see tape.h.
#include "solve/tape.h"

void tsl_tape_drop(tsl_tape *tape) {
    tsl_vec_drop(&tape->nodes);
    tsl_vec_drop(&tape->place);
    tsl_vec_drop(&tape->todo);
}

static bool is_there(const tsl_tape *tape, tsl_term t) {
    uint32_t at = tape->place.data[t.i];
    return at > 0 && at <= tape->nodes.len && tape->nodes.data[at - 1].t.i == t.i;
}

uint32_t tsl_tape_place(const tsl_tape *tape, tsl_term t) {
    TSL_BUG_ON(t.i >= tape->place.len || !is_there(tape, t), "term %u", t.i);
    return tape->place.data[t.i] - 1;
}

static void write_node(tsl_tape *tape, const tsl_terms *terms, tsl_term t) {
    tsl_tape_node n = {.op = (uint8_t)tsl_term_op(terms, t),
                       .width = (uint8_t)tsl_term_width(terms, t),
                       .extra = (uint16_t)tsl_term_extra(terms, t),
                       .arity = (uint8_t)tsl_term_arity(terms, t),
                       .t = t};
    for (unsigned k = 0; k < n.arity; k++)
        n.operands[k] = tape->place.data[tsl_term_operand(terms, t, k).i] - 1;
    tsl_vec_push(&tape->nodes, n);
    tape->place.data[t.i] = (uint32_t)tape->nodes.len;
}

static bool write_term(tsl_tape *tape, const tsl_terms *terms, tsl_term root, size_t most) {
    tsl_vec_clear(&tape->todo);
    tsl_vec_push(&tape->todo, root.i);
    while (tape->todo.len) {
        tsl_term t = {tsl_vec_last(&tape->todo)};
        size_t waiting = tape->todo.len;
        for (unsigned k = 0; !is_there(tape, t) && k < tsl_term_arity(terms, t); k++)
            if (!is_there(tape, tsl_term_operand(terms, t, k)))
                tsl_vec_push(&tape->todo, tsl_term_operand(terms, t, k).i);
        if (tape->todo.len > waiting)
            continue;
        (void)tsl_vec_pop(&tape->todo);
        if (!is_there(tape, t))
            write_node(tape, terms, t);
        if (tape->nodes.len > most)
            return false;
    }
    return true;
}

bool tsl_tape_write(tsl_tape *tape, const tsl_query *q, size_t most) {
    tsl_vec_clear(&tape->nodes);
    tsl_vec_lengthen(&tape->place, tsl_terms_count(q->terms));
    for (size_t i = 0; i < q->conds.len; i++)
        if (!write_term(tape, q->terms, q->conds.data[i], most))
            return false;
    return true;
}
