// How often did each sampler come to each partial order, and when to what was new?
//
//     times[order]   samples that showed it: sorted, these are the bars of Fig. 6 of
//                    K. Sen, Effective random testing of concurrent programs (RAPOS), ASE 2007
//     curve          after so many samples so many orders and pairs of places were known
//
// Each sampler is counted by itself: what another one saw before is new to it.  Points of the
// curve lie the closer the earlier they are.
#ifndef TSL_EXPLORE_TALLY_H
#define TSL_EXPLORE_TALLY_H

#include "abi/wire.h"
#include "base/map.h"
#include "base/vec.h"

enum { TSL_TALLY_ORDERS = 1 << 22 }; // are told apart, of all samplers together

typedef struct tsl_tally_point {
    uint64_t runs, orders, successions, reads;
} tsl_tally_point;

typedef struct tsl_tally {
    uint64_t runs, orders; // sampled; distinct among them
    uint64_t left_out;     // samples after there was no room for another order; all that came then
    TSL_VEC(uint32_t) times; // by number of the order; sums up to `runs`
    TSL_VEC(tsl_tally_point) curve;
    tsl_tally_point now;
} tsl_tally;

typedef struct tsl_tallies {
    tsl_map numbers; // of the orders, by hash; the first is 0
    bool full;
    tsl_tally of[TSL_POLICY_COUNT];
} tsl_tallies;

void tsl_tallies_drop(tsl_tallies *tallies);

// A sample showed the partial order with this hash.  True if it is new to this sampler.
bool tsl_tally_order(tsl_tallies *tallies, unsigned policy, uint64_t hash);
// How many pairs this sampler knows after that sample.
void tsl_tally_pairs(tsl_tally *tally, uint64_t successions, uint64_t reads);

#endif
