// How often did each sampler come to each partial order, and when to something new?
//
//     times[order]   number of samples that showed the order: sorted, these are the bars of Fig. 6 of
//                    K. Sen, Effective random testing of concurrent programs (RAPOS), ASE 2007
//     curve          how many orders and pairs of sites were known after how many samples
//
// Each sampler is counted by itself: an order that another sampler saw before is new to it.  Early
// points of the curve lie closer together than late ones.  report/tally_file.h stores these counts.
#ifndef TSL_EXPLORE_TALLY_H
#define TSL_EXPLORE_TALLY_H

#include "abi/wire.h"
#include "base/map.h"
#include "base/vec.h"

enum { TSL_TALLY_ORDERS = 1 << 22 }; // most orders that are told apart, of all samplers together

typedef struct tsl_tally_point {
    uint64_t runs, orders, successions, reads;
} tsl_tally_point;

typedef struct tsl_tally {
    uint64_t runs, orders; // number of samples, and of different orders among them
    uint64_t left_out; // samples that were not counted: all since there was no room for an order
    TSL_VEC(uint32_t) times; // by number of the order; sums up to `runs`
    TSL_VEC(tsl_tally_point) curve;
    tsl_tally_point now;
} tsl_tally;

typedef struct tsl_tallies {
    tsl_map numbers; // from the hash of an order to its number; the first number is 0
    bool full;
    tsl_tally of[TSL_POLICY_COUNT];
} tsl_tallies;

void tsl_tallies_drop(tsl_tallies *tallies);

// A sample showed the partial order with this hash.  Returns true if the order is new to the sampler.
bool tsl_tally_order(tsl_tallies *tallies, unsigned policy, uint64_t hash);
// How many pairs the sampler knows after that sample.
void tsl_tally_pairs(tsl_tally *tally, uint64_t successions, uint64_t reads);

#endif
