// Does sampling still find new behaviour?
//
// Of every partial order that a sampler sees for the first time three things are noted: that it
// is new, which access of a word came right after which of another thread (a pair of places), and
// which write each read saw (another pair).  There are few pairs even where there are endless
// orders; once no new ones come, runs show what is known.
#ifndef TSL_EXPLORE_FEEDBACK_H
#define TSL_EXPLORE_FEEDBACK_H

#include "base/map.h"
#include "model/run.h"

typedef struct tsl_feedback_word tsl_feedback_word;

typedef struct tsl_feedback {
    uint64_t runs, orders;      // shown; that were new
    uint64_t mutated;           // of the runs: began like an earlier one
    tsl_map successions, reads; // pairs, and a bit for each policy that showed them
    uint64_t successions_of[TSL_POLICY_COUNT], reads_of[TSL_POLICY_COUNT];
    uint64_t last_order, last_pair; // number of the run that showed something new last
    tsl_feedback_word *words;       // scratch
    uint32_t stamp;
} tsl_feedback;

void tsl_feedback_init(tsl_feedback *feedback);
void tsl_feedback_drop(tsl_feedback *feedback);

// A run; `fresh`: its partial order was not seen before.
void tsl_feedback_count(tsl_feedback *feedback, bool fresh);
// The pairs of a run under this policy, the one counted last.
void tsl_feedback_read(tsl_feedback *feedback, const tsl_run *run, unsigned policy);

#endif
