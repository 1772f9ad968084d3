// Are there few enough possibilities to try them all?
//
// A slice often has only one byte, or a few numbers that earlier conditions have bounded (the
// ranges that interval.c found).  Trying all values is then faster than any proof, and complete.
// The present value of each variable is tried first.
#include "base/deadline.h"
#include "solve/link.h"

enum { MOST_POSSIBILITIES = 2048, MOST_WORK = 100000, MOST_VARS = 12 };

typedef struct digit {
    tsl_wide lo, size, start, at;
    uint32_t var;
} digit;

// The number of possibilities; 0: too many.
static size_t count(const tsl_query *q, digit *digits) {
    tsl_wide all = 1;
    if (q->vars.len > MOST_VARS)
        return 0;
    for (size_t i = 0; i < q->vars.len; i++) {
        tsl_range full = tsl_range_full(q->widths.data[i]);
        const tsl_range *r = q->bounds.len ? &q->bounds.data[i] : &full;
        tsl_wide size = r->hi - r->lo + 1, now = tsl_wide_of(q->model->data[q->vars.data[i]]);
        if (size == 0 || size > MOST_POSSIBILITIES)
            return 0;
        all *= size;
        if (all > MOST_POSSIBILITIES)
            return 0;
        digits[i] = (digit){.lo = r->lo, .size = size, .var = q->vars.data[i]};
        digits[i].start = now >= r->lo && now <= r->hi ? now - r->lo : 0;
    }
    return (size_t)all;
}

static tsl_value value_of(const digit *d) {
    return tsl_value_of(d->lo + (d->start + d->at) % d->size, 128);
}

static enum tsl_sat solve(void *self, tsl_query *q) {
    (void)self;
    digit digits[MOST_VARS];
    size_t all = count(q, digits);
    uint64_t limit = q->ev.work + MOST_WORK;
    for (size_t i = 0; i < all; i++) {
        tsl_deadline_ask();
        if (q->ev.work > limit)
            return TSL_UNKNOWN;
        for (size_t k = 0; k < q->vars.len; k++)
            tsl_query_set(q, digits[k].var, value_of(&digits[k]));
        if (tsl_query_holds(q))
            return TSL_SAT;
        tsl_query_undo(q, 0);
        for (size_t k = 0; k < q->vars.len && ++digits[k].at == digits[k].size; k++)
            digits[k].at = 0;
    }
    return all ? TSL_UNSAT : TSL_UNKNOWN;
}

const tsl_link tsl_link_enumerate = {.solve = solve};
