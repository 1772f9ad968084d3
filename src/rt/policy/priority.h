// Which thread has the highest priority?  The word of a thread is its priority; 0 means that none
// was drawn yet.
#ifndef TSLRT_POLICY_PRIORITY_H
#define TSLRT_POLICY_PRIORITY_H

#include "picker.h"

#define TSL_PRIORITY_DRAWN (1ull << 63) // priorities that are drawn are at least this

static inline uint64_t tsl_priority_of(tsl_picker *p, unsigned thread) {
    uint64_t *priority = &p->words[thread];
    if (*priority == 0)
        *priority = tsl_picker_random(p) | TSL_PRIORITY_DRAWN;
    return *priority;
}

static inline unsigned tsl_priority_highest(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    unsigned best = enabled[0];
    uint64_t most = tsl_priority_of(p, best);
    for (unsigned i = 1; i < n; i++) {
        uint64_t priority = tsl_priority_of(p, enabled[i]);
        if (priority > most) {
            most = priority;
            best = enabled[i];
        }
    }
    return best;
}

#endif
