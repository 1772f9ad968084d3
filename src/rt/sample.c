// Sampled schedules: the policies of policy/ applied to the threads of the program.
//
// A policy decides before each step, or only at preemption points: synchronisation, atomic and
// volatile accesses, frees, and plain accesses at sites that the tool has seen racing; and right
// after a step that enabled another thread.  Between two points a thread runs on, as if its steps
// were one, but not for ever if others can run.
#include <string.h>

#include "await.h"
#include "fuel.h"
#include "stop.h"

#define FOREVER ((int64_t)1 << 40)

static void learn_points(uint32_t n) {
    const uint32_t *log = (const uint32_t *)((char *)tslrt->wire + tslrt->wire->points_offset);
    if (n > TSL_MAX_POINTS)
        tslrt_corrupted();
    for (; tslrt->npoints_known < n; tslrt->npoints_known++)
        tslrt->points[log[tslrt->npoints_known] % TSLRT_POINTS] = 1;
}

static uint64_t weight_of(unsigned thread) {
    const tsl_weight *weights = (const tsl_weight *)RUN->inputs.end;
    for (uint32_t i = 0; i < RUN->plan->nweights; i++)
        if (weights[i].thread == thread)
            return weights[i].weight;
    return 0;
}

void tslrt_sample_begin(void) {
    const tsl_plan_head *plan = RUN->plan;
    tsl_picker *p = &tslrt->picker;
    RUN->policy.samples = tsl_policy_samples(plan->policy);
    RUN->policy.by_points = RUN->policy.enabled_one = false; // by points once the prefix is used up
    if (!RUN->policy.samples)
        return;
    if (tslrt->kind == RT_SERVED)
        learn_points(plan->npoints);
    p->policy = plan->policy;
    p->depth = plan->depth;
    p->seed = plan->seed;
    p->length = plan->length;
    p->interest = plan->interest;
    p->words = tslrt->words;
    p->pending = &tslrt_fiber_at(0)->pend;
    p->stride = TSL_FIBER_STRIDE;
    tsl_picker_begin(p);
    tsl_picker_created(p, 0, 0, weight_of(0));
}

void tslrt_sample_created(const tslrt_fiber *fiber) {
    if (RUN->policy.samples)
        tsl_picker_created(&tslrt->picker, fiber->id, SELF->id, weight_of(fiber->id));
}

// After so many steps the policy must be asked again.
static inline int64_t steps_until_asked(tsl_picker *p) {
    if (RUN->policy.by_points)
        return RUN->policy.stay_limit;
    if (RUN->count.asleep ||
        (RUN->count.awaiting && !tslrt_spin_ends())) // any step may let threads go on
        return 1;
    int64_t stay = p->stay_of == 1 ? FOREVER : p->stay;
    p->stay = 0;
    return 1 + stay;
}

tslrt_fiber *tslrt_pick_sampled(unsigned n) {
    tsl_picker *p = &tslrt->picker;
    const tslrt_fiber *self = SELF;
    bool is_point = !RUN->policy.by_points || RUN->policy.enabled_one ||
                    tslrt_is_point(self->pend.kind, self->pend.site);
    bool polls =
        RUN->policy.yielded || RUN->policy.stay_count >= RUN->policy.stay_limit || !is_point;
    RUN->policy.yielded = RUN->policy.enabled_one = false;
    unsigned next;
    if (polls && self->enabled && n > 1) {
        tsl_picker_yielded(p, self->id);
        next = tsl_picker_another(p, self->id, tslrt->threads.enabled, n);
    } else
        next = tsl_picker_pick(p, tslrt->threads.enabled, n);
    RUN->policy.stay_count = next == self->id ? RUN->policy.stay_count + 1 : 0;
    fuel_grant(steps_until_asked(p));
    return tslrt_fiber_at(next);
}
