// Sampled schedules: the rules of abi/sample.h applied to the threads of the program.
//
// The rules decide at preemption points: synchronisation, atomic and volatile accesses, frees, and
// plain accesses at sites that the tool has seen racing; and right after a step that let somebody
// else run.  Between two points a thread runs on, as if it were one step; but not for ever, if
// others can run.
#include <string.h>

#include "abi/sample.h"
#include "end.h"
#include "quick.h"
#include "sample.h"

static inline tsl_access tsl_sample_next(unsigned thread) {
    const pending *next = &tslrt_fiber_at(thread)->pend;
    // How far a range reaches is not known yet.
    uint64_t size = tsl_size_of(next->kind, next->size & 15u, 1);
    return tsl_sample_access(next->kind, (uintptr_t)next->object & 0xffffffffffffull, size);
}

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

// Its own generator, so that choices the program makes in the prefix change nothing.
void tslrt_sample_begin(void) {
    const tsl_plan_head *plan = RUN->plan;
    bool by_points = plan->flags & TSL_PLAN_POINTS;
    RUN->sampled = tslrt->kind == RT_SERVED && (by_points || plan->policy >= TSL_POLICY_RAPOS);
    RUN->by_points = RUN->enabled_one = false; // by points once the prefix is used up
    RUN->point_stay_of = 0;
    if (!RUN->sampled)
        return;
    learn_points(plan->npoints);
    tslrt->sampler.threads = tslrt->sampled;
    tslrt->sampler.interest = plan->interest;
    tsl_sample_begin(&tslrt->sampler, plan->policy, plan->seed, plan->depth, plan->length);
    tsl_sample_enter(&tslrt->sampler, 0, 0, weight_of(0));
}

void tslrt_sample_created(const tslrt_fiber *fiber) {
    if (RUN->sampled)
        tsl_sample_enter(&tslrt->sampler, fiber->id, SELF->id, weight_of(fiber->id));
}

static tslrt_fiber *another(const tslrt_fiber *self) {
    unsigned i = (unsigned)tsl_sample_below(&tslrt->sampler, RUN->count.enabled - 1u);
    if (tslrt->threads.enabled[i] == self->id)
        i = RUN->count.enabled - 1u;
    return tslrt_fiber_at(tslrt->threads.enabled[i]);
}

// How often in a row one of n equally likely threads is drawn; drawn at once, as most points then need
// nothing but a look at it.
static int64_t draw_stay(tsl_sampler *s, unsigned n) {
    int64_t stay = 0;
    if (n == 2)
        return __builtin_ctzll(tsl_sample_random(s) >> 1 | 1ull << 62);
    while (n > 1 && tsl_sample_below(s, n) == 0)
        stay++;
    return stay;
}

static tslrt_fiber *walk(tsl_sampler *s, tslrt_fiber *self) {
    unsigned n = RUN->count.enabled;
    bool drawn = RUN->point_stay_of == n && self->enabled;
    if (drawn && RUN->point_stay > 0) {
        RUN->point_stay--;
        return self;
    }
    tslrt_fiber *next = drawn && n > 1
                            ? another(self)
                            : tslrt_fiber_at(tslrt->threads.enabled[tsl_sample_below(s, n)]);
    RUN->point_stay = draw_stay(s, n);
    RUN->point_stay_of = (uint16_t)n;
    return next;
}

// `limit`: steps in a row while others could run.
tslrt_fiber *tslrt_sample_pick(uint32_t limit) {
    tsl_sampler *s = &tslrt->sampler;
    tslrt_fiber *self = SELF, *next;
    bool is_point =
        !RUN->by_points || RUN->enabled_one || tslrt_is_point(self->pend.kind, self->pend.site);
    bool polls = RUN->policy_yield || RUN->stay_count >= limit || !is_point;
    RUN->policy_yield = RUN->enabled_one = false;
    if (polls && self->enabled && RUN->count.enabled > 1) {
        tsl_sample_yield(s, self->id);
        RUN->point_stay_of = 0;
        next = another(self);
    } else if (s->policy == TSL_POLICY_RANDOM)
        next = walk(s, self);
    else
        next = tslrt_fiber_at(tsl_sample_pick(s, tslrt->threads.enabled, RUN->count.enabled));
    RUN->stay_count = next == self ? RUN->stay_count + 1 : 0;
    return next;
}

unsigned tslrt_sample_choice(unsigned n) { return (unsigned)tsl_sample_below(&tslrt->sampler, n); }
