// Does sampling still find new behaviour?
//
// Of every partial order that is seen for the first time three things are noted: that it is new,
// which access of a word came right after which of another thread (a pair of places), and which
// write each read saw (another pair).  There are few pairs even where there are endless orders; once
// no new ones come, runs show what is known.
#ifndef TSL_EXPLORE_FEEDBACK_H
#define TSL_EXPLORE_FEEDBACK_H

#include "base/set.h"
#include "trace/trace.h"

typedef struct tsl_feedback_word tsl_feedback_word;

typedef struct tsl_feedback {
    uint64_t runs, orders; // shown; that were new
    tsl_set successions, reads;
    uint64_t last_order, last_pair; // number of the run that showed something new last
    tsl_feedback_word *words;       // scratch
    uint32_t stamp;
} tsl_feedback;

void tsl_feedback_init(tsl_feedback *feedback);
void tsl_feedback_drop(tsl_feedback *feedback);

// A run; `fresh`: its partial order was not seen before.  Returns how many pairs are new.
unsigned tsl_feedback_read(tsl_feedback *feedback, const tsl_trace *trace, bool fresh);

#endif
