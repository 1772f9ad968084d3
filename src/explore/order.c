#include "explore/order.h"

#include <stdlib.h>

void tsl_order_drop(tsl_order *order) {
    tsl_set_drop(&order->races);
    tsl_vec_drop(&order->ranks);
}

static tsl_rank *find(tsl_order *order, unsigned thread) {
    for (size_t i = 0; i < order->ranks.len; i++)
        if (order->ranks.data[i].thread == thread)
            return &order->ranks.data[i];
    return NULL;
}

void tsl_order_thread(tsl_order *order, unsigned thread) {
    if (find(order, thread))
        return;
    tsl_vec_push(&order->ranks, (tsl_rank){.thread = (uint16_t)thread, .group = (uint16_t)thread});
    order->changed = true;
}

static void merge(tsl_order *order, uint16_t from, uint16_t to) {
    for (size_t i = 0; i < order->ranks.len; i++)
        if (order->ranks.data[i].group == from)
            order->ranks.data[i].group = to;
}

void tsl_order_race(tsl_order *order, unsigned a, unsigned b) {
    if (a < 64 && b < 64) {
        uint64_t bit = 1ull << b;
        if (order->few[a] & bit)
            return;
        order->few[a] |= bit;
    }
    uint64_t pair = a < b ? (uint64_t)a << 16 | b : (uint64_t)b << 16 | a;
    if (!tsl_set_insert(&order->races, pair))
        return;
    tsl_order_thread(order, a);
    tsl_order_thread(order, b);
    tsl_rank *x = find(order, a), *y = find(order, b);
    x->races = y->races = true;
    if (x->group < y->group)
        merge(order, y->group, x->group);
    else
        merge(order, x->group, y->group);
    order->changed = true;
}

// Threads that race with no other are one group.  Main comes last, because mostly it only joins.
static unsigned group_of(const tsl_rank *rank) {
    return rank->thread == 0 ? UINT16_MAX : rank->races ? rank->group : 0;
}

static int by_rank(const void *a, const void *b) {
    const tsl_rank *x = a, *y = b;
    unsigned g = group_of(x), h = group_of(y);
    return g != h ? (int)g - (int)h : (int)x->thread - (int)y->thread;
}

void tsl_order_to_plan(tsl_order *order, tsl_plan *plan) {
    if (order->changed && order->ranks.len)
        qsort(order->ranks.data, order->ranks.len, sizeof *order->ranks.data, by_rank);
    order->changed = false;
    for (size_t i = 0; i < order->ranks.len; i++)
        tsl_vec_push(&plan->order, (tsl_turn){order->ranks.data[i].thread,
                                              (uint16_t)group_of(&order->ranks.data[i])});
}
