// What did the samplers of a campaign find: how often each partial order, and what was new when?
//
// The tallies of a campaign (explore/tally.h) as a file.  `teasel test` writes it for `teasel report --sampling`:
//
//     # teasel sampling 1, samplers: 1
//     SAMPLER:random
//     RUNS:1000               runs that were counted
//     LEFT:0                  runs that were not counted, because there were too many orders
//     SEEN:1,612              one order was seen 612 times
//     SEEN:3,300              three orders were seen 100 times each
//     SEEN:8,88
//     KNOWN:1,1,2,0           after one run one order, two successions, no read of another's write
//     KNOWN:2,2,2,1
//     ...                     the last is after all runs
//     end_of_sampler
//
// The most frequent orders come first.  The file is short whatever the number of runs: n runs have
// less than sqrt(2n) different frequencies.  If there are thousands of frequencies, large ones that
// are nearly equal share a line.  Every number that is read is checked.
#ifndef TSL_REPORT_TALLY_FILE_H
#define TSL_REPORT_TALLY_FILE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"

// Orders that were seen equally often.
typedef struct tsl_sampled_group {
    uint64_t orders, runs; // number of these orders, and of the runs of all of them together
} tsl_sampled_group;

typedef struct tsl_sampled_point {
    uint64_t runs, orders, successions, reads; // none is smaller than in the point before
} tsl_sampled_point;

typedef struct tsl_sampled {
    char *sampler;
    uint64_t runs, orders; // sums over the groups; neither is 0
    uint64_t left_out;
    TSL_VEC(tsl_sampled_group) groups; // most frequent first
    TSL_VEC(tsl_sampled_point) curve;  // ends after `runs`
} tsl_sampled;

// The samplers of one program; none if nothing was sampled.
typedef struct tsl_samplers {
    char *program; // its name; may be NULL
    TSL_VEC(tsl_sampled) list;
} tsl_samplers;

typedef TSL_VEC(tsl_samplers) tsl_sampled_programs;

void tsl_samplers_drop(tsl_samplers *samplers);
void tsl_sampled_programs_drop(tsl_sampled_programs *programs);

// Fills `groups`, `runs` and `orders`: order i was seen times[i] times; 0 means never.
void tsl_sampled_count(tsl_sampled *sampled, const uint32_t *times, size_t n);

void tsl_samplers_keep(const tsl_samplers *samplers, tsl_buf *out);
// `samplers` must be empty.  `name` is the file's name, for messages.
bool tsl_samplers_parse(const char *name, const char *text, size_t len, tsl_samplers *samplers,
                        tsl_err *err);

#endif
