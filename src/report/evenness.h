// How evenly was sampled, and how much was not seen?  Numbers for what report/chart.h draws.
//
//     evenness    entropy of the frequencies / log2(orders): 1 if all were seen equally often
//     next        orders seen once / runs: how probable it is that the next run shows a new one
//                 (I. J. Good, The population frequencies of species, Biometrika 1953)
//     unseen      so many orders, at least about, were never seen
//                 (A. Chao, Nonparametric estimation of the number of classes, 1984; without bias)
//
// The last two are estimates: they take runs for drawn independently, and samplers learn.
#ifndef TSL_REPORT_EVENNESS_H
#define TSL_REPORT_EVENNESS_H

#include "report/sampled.h"

typedef struct tsl_evenness {
    double most;   // share of the most frequent order
    uint64_t half; // so many orders, the most frequent ones, make half of the runs
    double evenness;
    uint64_t once; // orders seen once
    double next;
    double unseen;
} tsl_evenness;

tsl_evenness tsl_evenness_of(const tsl_sampled *sampled);

// A table with a column for each sampler.
void tsl_evenness_text(const tsl_samplers *samplers, tsl_buf *out);

#endif
