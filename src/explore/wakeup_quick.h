// What covers a wakeup sequence in its quick form?
//
// The questions of wakeup.h, answered by the clocks of the history.  The functions are inline, because
// a search asks little else: most sequences are covered by something.
#ifndef TSL_EXPLORE_WAKEUP_QUICK_H
#define TSL_EXPLORE_WAKEUP_QUICK_H

#include <string.h>

#include "explore/tree_inner.h"

// A step at which the run failed is not part of v, because nothing could follow it.
static inline bool leaves_out_failing(const tsl_history *h, const tsl_reversal *r) {
    return h->failing > r->race.first && h->failing != r->second;
}

// Makes v of a reversal.  False: the quick form does not know all that is asked then.
static inline bool quick_of_reversal(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c,
                                     const tsl_reversal *r) {
    const tsl_history *h = &c->history;
    if (r->race.without != TSL_NONE || !r->sure || r->op.kind == TSL_EV_BARRIER_ARRIVE ||
        h->steps.data[r->race.first].kind == TSL_EV_BARRIER_ARRIVE || leaves_out_failing(h, r))
        return false;
    tsl_vec_reserve(&tree->room.gone_of, h->slots.len);
    memset(tree->room.gone_of.data, 0, h->slots.len * sizeof *v->gone_of);
    *v = (tsl_wakeup){.quick = true,
                      .n = h->steps.len + 1,
                      .last = &r->op,
                      .last_is_sure = true,
                      .inputs = c->inputs,
                      .room = &tree->room,
                      .h = h,
                      .cursor = c,
                      .first = r->race.first,
                      .second = r->second,
                      .as_was = r->as_was,
                      .woken_by = r->woken_by,
                      .without = TSL_NONE,
                      .gone_of = tree->room.gone_of.data,
                      .used = r->at};
    return true;
}

static inline bool quick_is_gone(const tsl_wakeup *v, uint32_t step) {
    const tsl_step *s = &v->h->steps.data[step];
    return s->index <= v->gone_of[s->slot];
}

// The first step of the thread that is left, but for e'; or TSL_NONE.
static inline uint32_t quick_next(const tsl_wakeup *v, unsigned thread) {
    const tsl_history *h = v->h;
    uint32_t first = v->first, slot = h->slot_of[thread % TSL_MAX_THREADS], s;
    if (!slot)
        return TSL_NONE;
    const tsl_positions *steps = &h->by_slot.data[slot - 1];
    uint32_t gone = v->gone_of[slot - 1], n = (uint32_t)steps->len;
    if (!n || steps->data[n - 1] <= first || gone >= n)
        return TSL_NONE;
    if (gone)
        s = steps->data[gone];
    else if (n == 1 || steps->data[n - 2] <= first) // mostly the step is one of the last
        s = steps->data[n - 1];
    else
        s = tsl_positions_behind(steps, first);
    return s == v->second || tsl_history_before(h, first, s) ? TSL_NONE : s;
}

// Does nothing that is left happen before step s?
static inline bool quick_is_initial(const tsl_wakeup *v, uint32_t s) {
    const tsl_history *h = v->h;
    uint32_t first = v->first, latest = h->steps.data[s].latest;
    if (latest == TSL_NONE || latest <= first)
        return true;
    if (!quick_is_gone(v, latest))
        return false;
    // Of each thread the last step that happens before s: if it is gone, so are those in front of it.
    for (unsigned slot = 0; slot < h->slots.len; slot++) {
        uint32_t known = tsl_history_knows(h, s, slot) - (slot == h->steps.data[s].slot);
        if (known && h->by_slot.data[slot].data[known - 1] > first &&
            !quick_is_gone(v, h->by_slot.data[slot].data[known - 1]))
            return false;
    }
    return true;
}

static inline bool quick_conflicts(const tsl_wakeup *v, const tsl_op *op) {
    return tsl_history_conflict_behind(v->h, op, v->first, v->second, v->gone_of);
}

// Is e', were it run now, the first of what is left?
static inline bool quick_last_is_initial(const tsl_wakeup *v) {
    if (v->as_was) { // the last step it depends on is a direct dependence, and mostly decides
        uint32_t latest = v->h->steps.data[v->second].latest;
        if (!tsl_history_before(v->h, v->first, latest) && !quick_is_gone(v, latest))
            return false;
        if (quick_is_initial(v, v->second))
            return true;
    }
    uint32_t waker = v->woken_by;
    bool woken = waker != TSL_NONE && waker > v->first && !quick_is_gone(v, waker);
    return !woken && !quick_conflicts(v, v->last);
}

static inline __attribute__((always_inline)) enum tsl_answer
quick_covers(const tsl_wakeup *v, const tsl_op *op, size_t *at) {
    if (op->kind == TSL_EV_BARRIER_ARRIVE)
        return TSL_ANSWER_UNKNOWN;
    uint32_t s = quick_next(v, op->thread);
    if (s != TSL_NONE) {
        *at = s;
        if (v->h->steps.data[s].nchoices > 1)
            return TSL_ANSWER_UNKNOWN;
        return tsl_answer_of(quick_is_initial(v, s));
    }
    if (op->thread == v->last->thread && !v->last_is_gone) {
        *at = v->n - 1;
        return tsl_answer_of(quick_last_is_initial(v));
    }
    *at = v->n;
    return tsl_answer_of((v->last_is_gone || !tsl_op_conflict(op, v->last)) &&
                         !quick_conflicts(v, op));
}

static inline void quick_go_past(tsl_wakeup *v, size_t at) {
    if (at + 1 < v->n) {
        const tsl_step *step = &v->h->steps.data[at];
        v->gone_of[step->slot] = step->index;
        v->used = at > v->used ? (uint32_t)at : v->used;
    }
    v->last_is_gone |= at + 1 == v->n;
    v->strange |= at == v->n;
}

#endif
