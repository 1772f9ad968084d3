// How evenly were partial orders sampled, and how many were not seen?  Drawn by report/chart.h.
//
//     evenness    entropy of the frequencies / log2(orders): 1 if all were seen equally often
//     next        orders seen once / runs: probability that the next run shows a new order
//                 (I. J. Good, The population frequencies of species, Biometrika 1953)
//     unseen      lower bound, roughly, of the number of orders that were never seen
//                 (A. Chao, Nonparametric estimation of the number of classes, 1984; without bias)
//
// The last two are estimates: they assume that runs are independent, but samplers learn.
#ifndef TSL_REPORT_EVENNESS_H
#define TSL_REPORT_EVENNESS_H

#include "report/tally_file.h"

typedef struct tsl_evenness {
    double most;   // share of the most frequent order
    uint64_t half; // number of orders, the most frequent ones, that make up half of the runs
    double evenness;
    uint64_t once; // orders seen once
    double next;
    double unseen;
} tsl_evenness;

tsl_evenness tsl_evenness_of(const tsl_sampled *sampled);

// Prints a table with a column for each sampler.
void tsl_evenness_text(const tsl_samplers *samplers, tsl_buf *out);

#endif
