// Happens-before by its definition; see naive.h.
#include "vm/naive.h"

#include <string.h>

#include "base/err.h"

void tsl_naive_init(tsl_naive *naive, size_t max_steps) {
    *naive = (tsl_naive){.stride = max_steps / 64 + 1};
}

void tsl_naive_drop(tsl_naive *naive) {
    tsl_vec_drop(&naive->steps);
    tsl_vec_drop(&naive->accesses);
    tsl_vec_drop(&naive->wakes);
    tsl_vec_drop(&naive->pasts);
    tsl_vec_drop(&naive->threads);
    tsl_vec_drop(&naive->members);
}

static uint64_t scramble(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Both may be small numbers, so each is scrambled before they are combined.
static uint64_t mix(uint64_t hash, uint64_t x) { return scramble(scramble(hash) + x); }

static bool has(const uint64_t *set, size_t i) { return set[i / 64] >> (i % 64) & 1; }

static uint32_t slot_of(tsl_naive *n, uint16_t number) {
    for (uint32_t i = 0; i < n->threads.len; i++)
        if (n->threads.data[i].number == number)
            return i;
    tsl_vec_push(&n->threads, (tsl_naive_thread){.number = number});
    for (size_t i = 0; i < n->stride; i++)
        tsl_vec_push(&n->members, 0);
    return (uint32_t)n->threads.len - 1;
}

// ---------------------------------------------------------------- dependence

static bool wakes(const tsl_naive *n, const tsl_naive_step *a, uint16_t thread) {
    for (unsigned i = 0; i < a->nwakes; i++)
        if (n->wakes.data[a->first_wake + i] == thread)
            return true;
    return false;
}

static bool is_arrival_of(const tsl_naive_step *a, const tsl_naive_step *leave) {
    return a->kind == TSL_EV_BARRIER_ARRIVE && leave->kind == TSL_EV_BARRIER_LEAVE &&
           a->barrier == leave->barrier && a->round == leave->round;
}

static bool creates(const tsl_naive *n, const tsl_naive_step *a, const tsl_naive_step *b) {
    return a->kind == TSL_EV_CREATE && b->kind == TSL_EV_START &&
           n->accesses.data[a->first_access].addr == n->accesses.data[b->first_access].addr;
}

static bool accesses_conflict(const tsl_naive *n, const tsl_naive_step *a, const tsl_naive_step *b,
                              bool memory) {
    const tsl_access *x = &n->accesses.data[a->first_access];
    const tsl_access *y = &n->accesses.data[b->first_access];
    for (unsigned i = 0; i < a->naccesses; i++)
        for (unsigned j = 0; j < b->naccesses; j++) {
            // The rule in conflict.h is only for two arrivals in a row; rounds are the general
            // rule.
            bool arrivals =
                x[i].kind == TSL_EV_BARRIER_ARRIVE && y[j].kind == TSL_EV_BARRIER_ARRIVE;
            if (!memory && (x[i].space != TSL_SPACE_OBJECT || y[j].space != TSL_SPACE_OBJECT))
                continue;
            if (arrivals ? x[i].addr == y[j].addr && a->round != b->round
                         : tsl_access_conflict(&x[i], &y[j]))
                return true;
        }
    return false;
}

// Two steps that may touch anything synchronise with each other.
static bool are_opaque(const tsl_naive_step *a, const tsl_naive_step *b) {
    return a->kind == TSL_EV_ASM && b->kind == TSL_EV_ASM;
}

static bool depend(const tsl_naive *n, size_t first, size_t second, bool memory) {
    const tsl_naive_step *a = &n->steps.data[first], *b = &n->steps.data[second];
    return a->thread == b->thread || are_opaque(a, b) || wakes(n, a, b->thread) ||
           creates(n, a, b) || is_arrival_of(a, b) || accesses_conflict(n, a, b, memory);
}

bool tsl_naive_dependent(const tsl_naive *n, size_t first, size_t second) {
    return depend(n, first, second, true);
}

bool tsl_naive_synchronised(const tsl_naive *n, size_t first, size_t second) {
    return depend(n, first, second, false);
}

// ---------------------------------------------------------------- reading events

static void read_accesses(tsl_naive *n, tsl_naive_step *s, const tsl_event *events,
                          size_t nevents) {
    uint64_t length = 0;
    for (size_t i = 1; i < nevents && events[i].kind == TSL_EV_LENGTH; i++)
        length = events[i].addr;
    const tsl_event *e = events;
    tsl_vec_push(&n->accesses,
                 tsl_access_make(e->kind, e->res, e->addr, tsl_access_size(e, length)));
    s->naccesses = 1;
    for (size_t i = 1; i < nevents; i++) {
        e = &events[i];
        if (e->kind == TSL_EV_ALSO) {
            tsl_vec_push(&n->accesses, tsl_access_make(e->res & 255, e->res >> 8, e->addr,
                                                       tsl_access_size(e, 1)));
            s->naccesses++;
        } else if (e->kind == TSL_EV_WAKE) {
            tsl_vec_push(&n->wakes, e->res);
            s->nwakes++;
        }
    }
}

// Rounds are counted by the arrivals that complete one.
static void find_round(const tsl_naive *n, tsl_naive_step *s, uint64_t barrier) {
    s->barrier = barrier;
    for (size_t i = n->steps.len; i-- > 0;) {
        const tsl_naive_step *a = &n->steps.data[i];
        if (a->kind != TSL_EV_BARRIER_ARRIVE || a->barrier != barrier)
            continue;
        if (s->kind == TSL_EV_BARRIER_ARRIVE) {
            s->round = a->round + (a->res == 0);
            return;
        }
        if (a->thread == s->thread) {
            s->round = a->round;
            return;
        }
    }
}

// ---------------------------------------------------------------- steps

// Results that depend on the order of commuting steps are left out.  So are marks of values: they
// follow from the past, and differ for other inputs.
static unsigned result_of(const tsl_access *a) {
    switch (a->kind) {
    case TSL_EV_BARRIER_ARRIVE:
    case TSL_EV_SEM_POST:
    case TSL_EV_WRITE:
    case TSL_EV_VWRITE:
    case TSL_EV_AWRITE:
    case TSL_EV_RMW:
        return 0;
    case TSL_EV_CAS:
        return a->res & 1;
    default:
        return a->res;
    }
}

// A hash of what the step is, whenever it runs.
static uint64_t label(const tsl_naive *n, const tsl_naive_step *s, const tsl_event *events,
                      size_t nevents) {
    uint64_t hash = s->kind;
    for (unsigned i = 0; i < s->naccesses; i++) {
        const tsl_access *a = &n->accesses.data[s->first_access + i];
        hash = mix(hash, a->kind == TSL_EV_BRANCH ? 0 : a->addr); // numbers of nodes: by the order
        hash = mix(hash, (uint64_t)a->size << 32 | (uint64_t)a->kind << 16 | result_of(a));
    }
    for (size_t i = 1; i < nevents; i++)
        if (events[i].kind == TSL_EV_CHOICE)
            hash = mix(hash, (uint64_t)events[i].addr << 16 | events[i].res);
    return hash;
}

static void find_past(tsl_naive *n, size_t at) {
    uint64_t *past = &n->pasts.data[at * n->stride];
    for (size_t i = at; i-- > 0;) { // latest first: what lies in its past needs no look
        if (has(past, i) || !tsl_naive_dependent(n, i, at))
            continue;
        const uint64_t *more = &n->pasts.data[i * n->stride];
        for (size_t w = 0; w < n->stride; w++)
            past[w] |= more[w];
        past[i / 64] |= 1ull << (i % 64);
    }
}

static unsigned count_both(const tsl_naive *n, const uint64_t *a, const uint64_t *b) {
    unsigned count = 0;
    for (size_t w = 0; w < n->stride; w++)
        count += (unsigned)__builtin_popcountll(a[w] & b[w]);
    return count;
}

// The hash is a sum, so that the order in which threads first appear does not matter.
static uint64_t past_hash(const tsl_naive *n, size_t at) {
    uint64_t sum = 0;
    for (size_t t = 0; t < n->threads.len; t++) {
        uint64_t count =
            count_both(n, &n->pasts.data[at * n->stride], &n->members.data[t * n->stride]);
        if (count)
            sum += mix(n->threads.data[t].number, count);
    }
    return sum;
}

void tsl_naive_push(tsl_naive *n, const tsl_event *events, size_t nevents) {
    size_t at = n->steps.len;
    TSL_BUG_ON(at >= n->stride * 64, "more than %zu steps", n->stride * 64);
    tsl_naive_step s = {.kind = events[0].kind,
                        .order = TSL_ARG_ORDER(events[0].arg),
                        .res = events[0].res,
                        .thread = events[0].thread,
                        .first_access = (uint32_t)n->accesses.len,
                        .first_wake = (uint32_t)n->wakes.len,
                        .slot = slot_of(n, events[0].thread)};
    read_accesses(n, &s, events, nevents);
    if (s.kind == TSL_EV_BARRIER_ARRIVE || s.kind == TSL_EV_BARRIER_LEAVE)
        find_round(n, &s, events[0].addr);
    tsl_vec_push(&n->steps, s);
    for (size_t w = 0; w < n->stride; w++)
        tsl_vec_push(&n->pasts, 0);
    find_past(n, at);
    tsl_naive_thread *thread = &n->threads.data[s.slot];
    uint64_t hash = mix(thread->hash, label(n, &s, events, nevents));
    hash = mix(hash, past_hash(n, at));
    n->steps.data[at].hash = thread->hash; // to go back to
    thread->hash = hash;
    n->members.data[s.slot * n->stride + at / 64] |= 1ull << (at % 64);
}

void tsl_naive_pop(tsl_naive *n) {
    tsl_naive_step s = tsl_vec_pop(&n->steps);
    size_t at = n->steps.len;
    n->accesses.len = s.first_access;
    n->wakes.len = s.first_wake;
    n->pasts.len -= n->stride;
    n->threads.data[s.slot].hash = s.hash;
    n->members.data[s.slot * n->stride + at / 64] &= ~(1ull << (at % 64));
}

bool tsl_naive_is_before(const tsl_naive *n, size_t i, size_t j) {
    return i < j && has(&n->pasts.data[j * n->stride], i);
}

uint64_t tsl_naive_hash(const tsl_naive *n) {
    uint64_t sum = 0;
    for (size_t t = 0; t < n->threads.len; t++)
        if (n->threads.data[t].hash)
            sum += mix(n->threads.data[t].number, n->threads.data[t].hash);
    return sum;
}

// ---------------------------------------------------------------- traces

static size_t next_step(const tsl_event *events, size_t nevents, size_t from) {
    while (from < nevents && !tsl_event_is_step(events[from].kind))
        from++;
    return from;
}

size_t tsl_naive_push_all(tsl_naive *naive, const tsl_event *events, size_t nevents) {
    size_t n = 0;
    for (size_t at = next_step(events, nevents, 0); at < nevents; n++) {
        size_t end = next_step(events, nevents, at + 1);
        tsl_naive_push(naive, &events[at], end - at);
        at = end;
    }
    return n;
}

void tsl_naive_trace(tsl_naive *naive, const tsl_trace *trace) {
    size_t steps = 0;
    for (size_t i = 0; i < trace->nevents; i++)
        steps += tsl_event_is_step(trace->events[i].kind);
    tsl_naive_init(naive, steps);
    tsl_naive_push_all(naive, trace->events, trace->nevents);
}

uint64_t tsl_naive_canon(const tsl_trace *trace) {
    tsl_naive naive;
    tsl_naive_trace(&naive, trace);
    uint64_t hash = tsl_naive_hash(&naive);
    tsl_naive_drop(&naive);
    return hash;
}

bool tsl_naive_before(const tsl_trace *trace, size_t i, size_t j) {
    tsl_naive naive;
    tsl_naive_trace(&naive, trace);
    bool before = tsl_naive_is_before(&naive, i, j);
    tsl_naive_drop(&naive);
    return before;
}
