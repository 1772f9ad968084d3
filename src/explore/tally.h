// How often did each sampler show each order, and how fast did it find new ones?
//
//     times[order]   how many samples showed the order; sorted, these are the bars of Fig. 6 of
//                    K. Sen, Effective random testing of concurrent programs (RAPOS), ASE 2007
//     curve          how many orders and pairs (feedback.h) were known after how many samples
//
// Each sampler is counted by itself: an order that another sampler has shown before is new to it.
// The points of the curve lie close together at first and further apart later.
// report/tally_file.h stores these counts.
#ifndef TSL_EXPLORE_TALLY_H
#define TSL_EXPLORE_TALLY_H

#include "abi/wire.h"
#include "base/map.h"
#include "base/vec.h"

enum { TSL_TALLY_ORDERS = 1 << 22 }; // so many orders are told apart, over all samplers

// A point of the curve.
typedef struct tsl_tally_point {
    uint64_t runs, orders, successions, reads;
} tsl_tally_point;

typedef struct tsl_tally {
    uint64_t runs, orders;   // samples counted; distinct orders among them
    uint64_t left_out;       // samples not counted, because there was no room for another order
    TSL_VEC(uint32_t) times; // by number of the order; the sum is `runs`
    TSL_VEC(tsl_tally_point) curve;
    tsl_tally_point now; // the current state, which may not be on the curve
} tsl_tally;

typedef struct tsl_tallies {
    tsl_map numbers; // hash of an order -> its number, from 0
    bool full;       // there is no room for another order
    tsl_tally of[TSL_POLICY_COUNT];
} tsl_tallies;

void tsl_tallies_drop(tsl_tallies *tallies);

// Counts a sample that showed the order with this hash.  Is the order new to this sampler?
bool tsl_tally_order(tsl_tallies *tallies, unsigned policy, uint64_t hash);
// Says how many pairs this sampler knows after that sample.
void tsl_tally_pairs(tsl_tally *tally, uint64_t successions, uint64_t reads);

#endif
