// Does sampling still find new behaviour?
//
// Of every order that a sampler sees for the first time three things are counted: that it is new;
// its successions, that is, which access of a word came right after which access of another thread;
// and its reads, that is, which write of another thread each read saw.  A succession and a read are
// each a pair of sites.  There are few pairs even where orders are endless, so once no new pairs
// come, further runs show little that is new.
#ifndef TSL_EXPLORE_FEEDBACK_H
#define TSL_EXPLORE_FEEDBACK_H

#include "base/map.h"
#include "model/run.h"

typedef struct tsl_feedback_word tsl_feedback_word;

typedef struct tsl_feedback {
    uint64_t runs;              // how many were counted
    uint64_t orders;            // how many of them showed a new order
    uint64_t mutated;           // how many of them were planned to begin like an earlier one
    tsl_map successions, reads; // pair -> a bit for each policy that showed it
    uint64_t successions_of[TSL_POLICY_COUNT], reads_of[TSL_POLICY_COUNT]; // pairs by policy
    uint64_t last_order, last_pair; // number of the last run that showed a new order, or pair
    tsl_feedback_word *words;       // scratch
    uint32_t stamp;
} tsl_feedback;

void tsl_feedback_init(tsl_feedback *feedback);
void tsl_feedback_drop(tsl_feedback *feedback);

// Counts a run; `fresh` says that its order was not seen before.
void tsl_feedback_count(tsl_feedback *feedback, bool fresh);
// Reads the pairs of the run that was counted last, which ran under this policy.
void tsl_feedback_read(tsl_feedback *feedback, const tsl_run *run, unsigned policy);

#endif
