// Do the steps that threads stand before depend on each other?
#ifndef TSLRT_POLICY_DEPEND_H
#define TSLRT_POLICY_DEPEND_H

#include "picker.h"

typedef struct tsl_next_step {
    tsl_access access;
    uint16_t thread;
} tsl_next_step;

static inline tsl_next_step tsl_next_step_of(const tsl_picker *p, unsigned thread) {
    return (tsl_next_step){tsl_picker_next(p, thread), (uint16_t)thread};
}

// A cancellation or signal may be meant for any thread.
static inline bool tsl_next_depends(const tsl_next_step *a, const tsl_next_step *b) {
    unsigned ka = a->access.kind, kb = b->access.kind;
    return a->thread == b->thread || ka == TSL_EV_CANCEL || ka == TSL_EV_KILL ||
           kb == TSL_EV_CANCEL || kb == TSL_EV_KILL || tsl_access_conflict(&a->access, &b->access);
}

#endif
