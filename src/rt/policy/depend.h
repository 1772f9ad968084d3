// Does the step that a thread stands before depend on steps that were picked?
#ifndef TSLRT_POLICY_DEPEND_H
#define TSLRT_POLICY_DEPEND_H

#include "picker.h"

typedef struct tsl_picked {
    tsl_access access;
    uint16_t thread;
} tsl_picked;

static inline tsl_picked tsl_picked_step(const tsl_picker *p, unsigned thread) {
    return (tsl_picked){tsl_picker_next(p, thread), (uint16_t)thread};
}

// A cancellation or signal may be meant for any thread.
static inline bool tsl_picked_depends(const tsl_picked *a, unsigned thread, const tsl_access *b) {
    return a->thread == thread || a->access.kind == TSL_EV_CANCEL ||
           a->access.kind == TSL_EV_KILL || b->kind == TSL_EV_CANCEL || b->kind == TSL_EV_KILL ||
           tsl_access_conflict(&a->access, b);
}

static inline bool tsl_depends_on_picked(const tsl_picker *p, const tsl_picked *steps, uint32_t n,
                                         unsigned thread) {
    tsl_access next = tsl_picker_next(p, thread);
    for (uint32_t i = 0; i < n; i++)
        if (tsl_picked_depends(&steps[i], thread, &next))
            return true;
    return false;
}

#endif
