// Who runs next when schedules are drawn at random?
//
// Each row of abi/samplers.def is a policy, and NAME.c has its rules: four functions, of which only
// `pick` must exist.  A picker is what a policy is given, and what it remembers, during one run.
//
//     begin      a run begins
//     pick       one of these threads, which will take its next step
//     created    a thread was created
//     yielded    a thread lets the others go first
//
// Policies know nothing of whoever runs the threads.  That is the runtime, or the model runner of
// the tests, which compares how often each partial order comes with the policy's definition.
//
// A thread that does not run stands before a step.  The access of that step is known but for its
// result, so the strongest result that the step can have is assumed.
#ifndef TSLRT_POLICY_PICKER_H
#define TSLRT_POLICY_PICKER_H

#include "abi/conflict.h"

enum { TSL_PICKER_OWN = 6400 }; // bytes that a policy has for itself

// The step that a thread stands before.
typedef struct tsl_pending {
    uint8_t kind;
    uint8_t size; // the low four bits of its event's `arg`
    uint32_t site;
    const void *object;
} tsl_pending;

typedef struct tsl_picker {
    // What is given before the run.
    uint32_t policy; // enum tsl_policy, a row of samplers.def
    uint32_t depth;
    uint64_t seed, length, interest; // tsl_plan_head says what they mean
    uint64_t *words;            // one for each thread number: 0, or what the policy keeps there
    const tsl_pending *pending; // of thread 0; those of other threads are `stride` bytes apart
    size_t stride;

    uint64_t rng[2];
    // After `pick`: while `stay_of` threads can run, the policy would pick the same thread so often
    // again.  Whoever runs the threads may take that as an answer, and count `stay` down.
    int64_t stay;
    uint32_t stay_of; // 0: the policy must be asked each time
    _Alignas(16) unsigned char own[TSL_PICKER_OWN];
} tsl_picker;

typedef struct tsl_policy_rules {
    void (*begin)(tsl_picker *p);
    unsigned (*pick)(tsl_picker *p, const uint16_t *enabled, unsigned n);
    // `weight`: of the new thread with all threads that it will create.
    void (*created)(tsl_picker *p, unsigned thread, unsigned parent, uint64_t weight);
    void (*yielded)(tsl_picker *p, unsigned thread);
} tsl_policy_rules;

#define TSL_SAMPLER(NAME, name, wants, help) extern const tsl_policy_rules tsl_policy_##name;
#include "abi/samplers.def"
#undef TSL_SAMPLER

extern const tsl_policy_rules *const tsl_policies[];

// The first thread is created by the caller, as its own parent.
void tsl_picker_begin(tsl_picker *p);
static inline unsigned tsl_picker_pick(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    return tsl_policies[p->policy]->pick(p, enabled, n);
}
void tsl_picker_created(tsl_picker *p, unsigned thread, unsigned parent, uint64_t weight);
void tsl_picker_yielded(tsl_picker *p, unsigned thread);

// ---------------------------------------------------------------- for policies and their callers

static inline uint64_t tsl_picker_random(tsl_picker *p) { // xoroshiro128+
    uint64_t a = p->rng[0], b = p->rng[1], sum = a + b;
    b ^= a;
    p->rng[0] = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    p->rng[1] = (b << 37) | (b >> 27);
    return sum;
}

// Multiplied, not divided: the bias is below n / 2^32.
static inline uint64_t tsl_picker_below(tsl_picker *p, uint64_t n) {
    if (n >> 32)
        return tsl_picker_random(p) % n;
    return ((tsl_picker_random(p) >> 32) * n) >> 32;
}

static inline bool tsl_picker_has(const uint16_t *enabled, unsigned n, unsigned thread) {
    for (unsigned i = 0; i < n; i++)
        if (enabled[i] == thread)
            return true;
    return false;
}

// A thread other than this one, which is among the n.
static inline unsigned tsl_picker_another(tsl_picker *p, unsigned thread, const uint16_t *enabled,
                                          unsigned n) {
    unsigned i = (unsigned)tsl_picker_below(p, n - 1);
    return enabled[enabled[i] == thread ? n - 1 : i];
}

static inline const tsl_pending *tsl_picker_pending(const tsl_picker *p, unsigned thread) {
    return (const tsl_pending *)((uintptr_t)p->pending + thread * p->stride);
}

// The access of the step that a thread stands before; TSL_SPACE_NONE if the step has none.  The
// length of a range is not known yet.
static inline tsl_access tsl_picker_next(const tsl_picker *p, unsigned thread) {
    enum { ONE = 1u << TSL_RULE_STORED | 1u << TSL_RULE_LOW_BIT | 1u << TSL_RULE_GAVE_UP };
    const tsl_pending *next = tsl_picker_pending(p, thread);
    unsigned strongest = (unsigned)ONE >> tsl_role_rule(next->kind) & 1;
    return tsl_access_make(next->kind, strongest, (uintptr_t)next->object & 0xffffffffffffull,
                           tsl_size_of(next->kind, next->size & 15u, 1));
}

#endif
