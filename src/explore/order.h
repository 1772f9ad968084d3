// Who goes on when the running thread can't?
//
// Any order is right.  But a reversal goes back to the node before the first of the two steps, and
// everything behind that node is run and read again.  So the later that first step comes, the less
// there is to do.  Threads that race with no other come first, then those that race, each next to
// its partners, then main.
#ifndef TSL_EXPLORE_ORDER_H
#define TSL_EXPLORE_ORDER_H

#include "base/set.h"
#include "trace/plan.h"

typedef struct tsl_rank {
    uint16_t thread;
    uint16_t group; // the lowest number of the threads that are linked with this one by races
    bool races;
} tsl_rank;

typedef struct tsl_order {
    tsl_set races;           // pairs of threads
    uint64_t few[64];        // pairs of threads below 64, a bit each, which are asked for often
    TSL_VEC(tsl_rank) ranks; // of every known thread
    bool changed;            // the ranks are not sorted
} tsl_order;

void tsl_order_drop(tsl_order *order);

// Makes the thread known.
void tsl_order_thread(tsl_order *order, unsigned thread);
// The two have raced.
void tsl_order_race(tsl_order *order, unsigned a, unsigned b);
// Writes the order to the Plan.
void tsl_order_to_plan(tsl_order *order, tsl_plan *plan);

#endif
