// Who runs next when schedules are sampled?  One definition for the runtime, which decides while
// the program runs, and for the model runner of the tests.
//
//     random   any enabled thread, each as likely
//     rapos    rounds: an independent random subset of the schedulable threads runs, then what
//              depends on it is schedulable (Sen, Effective Random Testing of Concurrent
//              Programs, ASE 2007, Figs. 4 and 5)
//     pct      random priorities; at depth - 1 random points who would run drops below all (Burckhardt
//              et al., A Randomized Scheduler with Probabilistic Guarantees, ASPLOS 2010)
//     pos      a random priority for each pending step, drawn again when a step that conflicts
//              with it was executed (Yuan et al., Partial Order Aware Concurrency Sampling, CAV 2018)
//     surw     who makes the next interesting step: likely in proportion to how many of them it
//              has left (Zhao et al., Selectively Uniform Concurrency Testing, ASPLOS 2025)
//
// A thread that does not run stands before a step, whose access is known but for its result: it
// counts as the strongest that the step can turn out to be.  Whoever includes this defines
// tsl_sample_next; a pick means that the thread will execute that step.
#ifndef TSL_ABI_SAMPLE_H
#define TSL_ABI_SAMPLE_H

#include "sabotage.h"
#include "sampler.h"

// The step a live thread stands before; space TSL_SPACE_NONE if it depends on no other.
static inline tsl_access tsl_sample_next(unsigned thread);

// ---------------------------------------------------------------- chance

static inline uint64_t tsl_sample_random(tsl_sampler *s) { // xoroshiro128+
    uint64_t a = s->rng[0], b = s->rng[1], sum = a + b;
    b ^= a;
    s->rng[0] = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    s->rng[1] = (b << 37) | (b >> 27);
    return sum;
}

// Multiplied, not divided: the bias is below n / 2^32.
static inline uint64_t tsl_sample_below(tsl_sampler *s, uint64_t n) {
    if (n >> 32)
        return tsl_sample_random(s) % n;
    return ((tsl_sample_random(s) >> 32) * n) >> 32;
}

// ---------------------------------------------------------------- dependence

// The strongest result that a step may still have.
static inline unsigned tsl_sample_result(unsigned kind) {
    enum { ONE = 1u << TSL_RULE_STORED | 1u << TSL_RULE_LOW_BIT | 1u << TSL_RULE_GAVE_UP };
    return (unsigned)ONE >> tsl_role_rule(kind) & 1;
}

static inline tsl_access tsl_sample_access(unsigned kind, uint64_t addr, uint64_t size) {
    return tsl_access_make(kind, tsl_sample_result(kind), addr, size);
}

// A cancellation or signal may be meant for anybody.
static inline bool tsl_sample_dependent(const tsl_sample_step *a, unsigned thread,
                                        const tsl_access *b) {
    return a->thread == thread || a->access.kind == TSL_EV_CANCEL ||
           a->access.kind == TSL_EV_KILL || b->kind == TSL_EV_CANCEL || b->kind == TSL_EV_KILL ||
           tsl_access_conflict(&a->access, b);
}

// ---------------------------------------------------------------- rapos

static inline bool tsl_sample_depends_on(const tsl_sample_step *steps, uint32_t n,
                                         unsigned thread) {
    tsl_access next = tsl_sample_next(thread);
    for (uint32_t i = 0; i < n; i++)
        if (tsl_sample_dependent(&steps[i], thread, &next))
            return true;
    return false;
}

// By number, so that what comes out does not depend on who became enabled when.
static inline void tsl_sample_insert(uint16_t *set, uint32_t n, uint16_t thread) {
    for (; n > 0 && set[n - 1] > thread; n--)
        set[n] = set[n - 1];
    set[n] = thread;
}

// What the last round enabled depends on it, too: a thread that was created, for one.
static inline uint32_t tsl_sample_schedulable(tsl_sampler *s, const uint16_t *enabled, unsigned n,
                                              uint16_t *set) {
    uint32_t nset = 0;
    s->rounds++;
    for (unsigned i = 0; i < n; i++) {
        uint32_t *last = &s->threads[enabled[i]].enabled;
        bool woken = *last + 1 != s->rounds || s->rounds == 1;
        *last = s->rounds;
        if (nset < TSL_SAMPLE_ROUND && (woken || TSL_BROKEN(SCHEDULABLE) ||
                                        tsl_sample_depends_on(s->round, s->nround, enabled[i])))
            tsl_sample_insert(set, nset++, enabled[i]);
    }
    if (nset == 0)
        set[nset++] = enabled[tsl_sample_below(s, n)];
    return nset;
}

static inline void tsl_sample_add(tsl_sampler *s, unsigned thread) {
    s->round[s->nround++] = (tsl_sample_step){tsl_sample_next(thread), (uint16_t)thread};
}

static inline void tsl_sample_new_round(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    uint16_t set[TSL_SAMPLE_ROUND];
    uint32_t nset = tsl_sample_schedulable(s, enabled, n, set);
    unsigned first = set[tsl_sample_below(s, nset)];
    s->next = s->nround = 0;
    tsl_sample_add(s, first);
    for (uint32_t i = 0; i < nset; i++)
        if (!tsl_sample_depends_on(s->round, s->nround, set[i]) &&
            (tsl_sample_random(s) >> 63 || TSL_BROKEN(TOSS)))
            tsl_sample_add(s, set[i]);
}

static inline bool tsl_sample_has(const uint16_t *enabled, unsigned n, unsigned thread) {
    for (unsigned i = 0; i < n; i++)
        if (enabled[i] == thread)
            return true;
    return false;
}

// A step that no other thread's can be in conflict with while both can run.  To leave it to a coin would
// keep the thread asleep for nothing: there is nobody to wake it.  (In the paper threads
// switch before some operations only; starting a thread is none of them.)  Almost: a trylock may meet the
// unlock, a signal may come before the start.  So in one run of eight there are none.
static inline bool tsl_sample_joins(const tsl_sampler *s, unsigned thread) {
    if (!s->joins_steps)
        return false;
    switch (tsl_sample_next(thread).kind) {
    case TSL_EV_CREATE:
    case TSL_EV_START:
    case TSL_EV_JOIN:
    case TSL_EV_CHOOSE:
    case TSL_EV_UNLOCK:
    case TSL_EV_RW_UNLOCK:
        return true;
    default:
        return false;
    }
}

static inline unsigned tsl_sample_rapos(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (tsl_sample_joins(s, enabled[i])) {
            s->threads[enabled[i]].enabled = 0; // what comes next is schedulable
            return enabled[i];
        }
    for (;;) {
        // Independent steps do not disable each other; what a thread does between its steps may.
        while (s->next < s->nround && !tsl_sample_has(enabled, n, s->round[s->next].thread))
            s->next++;
        if (s->next < s->nround)
            return s->round[s->next++].thread;
        tsl_sample_new_round(s, enabled, n);
    }
}

// ---------------------------------------------------------------- pct

#define TSL_SAMPLE_HIGH (1ull << 63)

static inline uint64_t tsl_sample_priority(tsl_sampler *s, unsigned thread) {
    uint64_t *priority = &s->threads[thread].priority;
    if (*priority == 0)
        *priority = tsl_sample_random(s) | TSL_SAMPLE_HIGH;
    return *priority;
}

static inline unsigned tsl_sample_highest(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    unsigned best = enabled[0];
    uint64_t most = tsl_sample_priority(s, best);
    for (unsigned i = 1; i < n; i++) {
        uint64_t priority = tsl_sample_priority(s, enabled[i]);
        if (priority > most) {
            most = priority;
            best = enabled[i];
        }
    }
    return best;
}

static inline void tsl_sample_drop(tsl_sampler *s, unsigned thread) {
    s->threads[thread].priority = --s->lowest;
}

static inline unsigned tsl_sample_pct(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    unsigned thread = tsl_sample_highest(s, enabled, n);
    for (uint32_t i = 0; i < s->nchanges; i++)
        if (s->changes[i] == s->picks && !TSL_BROKEN(CHANGE)) {
            tsl_sample_drop(s, thread);
            thread = tsl_sample_highest(s, enabled, n);
        }
    return thread;
}

// ---------------------------------------------------------------- pos

static inline unsigned tsl_sample_pos(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    unsigned thread = tsl_sample_highest(s, enabled, n);
    tsl_sample_step step = {tsl_sample_next(thread), (uint16_t)thread};
    for (unsigned i = 0; i < n; i++) // itself too: it will stand before another step
        if (TSL_BROKEN(REDRAW) ? enabled[i] == thread : tsl_sample_depends_on(&step, 1, enabled[i]))
            s->threads[enabled[i]].priority = 0;
    return thread;
}

// ---------------------------------------------------------------- surw

static inline bool tsl_sample_is_interesting(const tsl_sampler *s, unsigned thread) {
    tsl_access next = tsl_sample_next(thread);
    if (!s->interest)
        return next.space != TSL_SPACE_NONE;
    return next.space != TSL_SPACE_NONE && tsl_access_touches(&next, s->interest, 8);
}

static inline unsigned tsl_sample_weighted(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += s->threads[enabled[i]].weight;
    if (sum == 0)
        return enabled[tsl_sample_below(s, n)];
    uint64_t at = tsl_sample_below(s, sum);
    for (unsigned i = 0;; i++) {
        if (at < s->threads[enabled[i]].weight)
            return enabled[i];
        at -= s->threads[enabled[i]].weight;
    }
}

static inline unsigned tsl_sample_surw(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    if (!s->chosen || !tsl_sample_has(enabled, n, s->chosen - 1))
        s->chosen = tsl_sample_weighted(s, enabled, n) + 1;
    unsigned thread = s->chosen - 1;
    if (tsl_sample_is_interesting(s, thread)) {
        s->threads[thread].weight -= s->threads[thread].weight > 0 && !TSL_BROKEN(WEIGHT);
        s->chosen = 0;
    }
    return thread;
}

// ---------------------------------------------------------------- for runners

// `length`: of the longest run so far, in picks.
static inline void tsl_sample_begin(tsl_sampler *s, uint32_t policy, uint64_t seed, unsigned depth,
                                    uint64_t length) {
    s->rng[0] = seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
    s->rng[1] = seed ^ 0xd1b54a32d192ed03ull;
    for (unsigned i = 0; i < 4; i++)
        tsl_sample_random(s); // neighbouring seeds start alike
    s->policy = policy;
    s->picks = 0;
    s->lowest = TSL_SAMPLE_HIGH;
    s->nround = s->next = s->rounds = s->chosen = 0;
    s->nchanges = 0;
    s->joins_steps = policy == TSL_POLICY_RAPOS && tsl_sample_below(s, 8) != 0;
    if (policy != TSL_POLICY_PCT)
        return;
    while (s->nchanges + 1 < depth && s->nchanges < TSL_SAMPLE_CHANGES)
        s->changes[s->nchanges++] = 1 + tsl_sample_below(s, length ? length : 1);
}

// The first one's parent is itself.  `weight` of surw: of it and all that it will create.
static inline void tsl_sample_enter(tsl_sampler *s, unsigned thread, unsigned parent,
                                    uint64_t weight) {
    s->threads[thread] = (tsl_sample_thread){.weight = weight};
    if (thread != parent)
        s->threads[parent].weight -=
            weight < s->threads[parent].weight ? weight : s->threads[parent].weight;
}

static inline unsigned tsl_sample_pick(tsl_sampler *s, const uint16_t *enabled, unsigned n) {
    s->picks++;
    switch (s->policy) {
    case TSL_POLICY_RAPOS:
        return tsl_sample_rapos(s, enabled, n);
    case TSL_POLICY_PCT:
        return tsl_sample_pct(s, enabled, n);
    case TSL_POLICY_POS:
        return tsl_sample_pos(s, enabled, n);
    case TSL_POLICY_SURW:
        return tsl_sample_surw(s, enabled, n);
    default:
        return enabled[tsl_sample_below(s, n)];
    }
}

// The thread lets others go first: it yielded, or ran for long without letting anybody in.
static inline void tsl_sample_yield(tsl_sampler *s, unsigned thread) {
    if (s->policy == TSL_POLICY_PCT)
        tsl_sample_drop(s, thread);
    s->chosen = 0;
}

#endif
