#include "vm/spoil.h"

#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

struct tsl_vm_spoiler {
    tsl_vm_runner *own, *other;
    tsl_rng rng;
    unsigned one_of;
    tsl_plan plans[16]; // a ring of the Plans in flight, to compare their prefixes
    size_t first, count;
    tsl_trace_head head;
    tsl_events events;
    uint64_t spoiled, prefixes;
};

tsl_vm_spoiler *tsl_vm_spoiler_new(void) {
    tsl_vm_spoiler *s = tsl_alloc(sizeof *s);
    s->own = tsl_vm_runner_new();
    s->other = tsl_vm_runner_new();
    for (unsigned i = 0; i < 16; i++)
        tsl_plan_init(&s->plans[i]);
    return s;
}

void tsl_vm_spoiler_free(tsl_vm_spoiler *s) {
    tsl_vm_runner_free(s->own);
    tsl_vm_runner_free(s->other);
    for (unsigned i = 0; i < 16; i++)
        tsl_plan_drop(&s->plans[i]);
    tsl_vec_drop(&s->events);
    tsl_free(s);
}

void tsl_vm_spoiler_load(tsl_vm_spoiler *s, const tsl_vm_program *program,
                         const tsl_vm_program *other, unsigned one_of, uint64_t seed) {
    tsl_vm_runner_load(s->own, program);
    tsl_vm_runner_load(s->other, other);
    tsl_rng_init(&s->rng, seed);
    s->one_of = one_of;
    s->first = s->count = 0;
    s->spoiled = s->prefixes = 0;
}

bool tsl_vm_spoiler_must_show(const tsl_vm_spoiler *s) {
    return s->spoiled == 1 && s->prefixes == 1;
}

uint64_t tsl_vm_spoiler_prefixes(const tsl_vm_spoiler *s) { return s->prefixes; }

// ---------------------------------------------------------------- ways to spoil

static void change(tsl_vm_spoiler *s, tsl_event *e) {
    uint64_t any = tsl_rng_next(&s->rng);
    switch (tsl_rng_below(&s->rng, 7)) {
    case 0:
        e->kind = any & 255;
        break;
    case 1:
        e->kind = any % TSL_EV_COUNT;
        break;
    case 2:
        e->thread = (uint16_t)any;
        break;
    case 3:
        e->thread = any & 3;
        break;
    case 4:
        e->addr = any & 0xffffffffffffull;
        break;
    case 5:
        e->res = (uint16_t)any;
        break;
    default:
        e->arg = any & 255;
        break;
    }
}

static void move(tsl_vm_spoiler *s, size_t at) {
    tsl_events *events = &s->events;
    tsl_event e = events->data[at];
    switch (tsl_rng_below(&s->rng, 3)) {
    case 0: // two change places
        if (at + 1 < events->len) {
            events->data[at] = events->data[at + 1];
            events->data[at + 1] = e;
        }
        break;
    case 1: // one is missing
        memmove(&events->data[at], &events->data[at + 1], (--events->len - at) * sizeof e);
        break;
    default: // or there twice
        tsl_vec_push(events, e);
        memmove(&events->data[at + 1], &events->data[at], (events->len - 1 - at) * sizeof e);
        break;
    }
}

static void end_otherwise(tsl_vm_spoiler *s) {
    static const unsigned outcomes[] = {TSL_OUT_DIVERGED,   TSL_OUT_TIME_LIMIT, TSL_OUT_KILLED,
                                        TSL_OUT_RUNTIME,    TSL_OUT_SIGNAL,     TSL_OUT_DEADLOCK,
                                        TSL_OUT_STEP_LIMIT, TSL_OUT_REDUNDANT};
    s->head.outcome = outcomes[tsl_rng_below(&s->rng, sizeof outcomes / sizeof *outcomes)];
    if (tsl_rng_below(&s->rng, 2) == 0)
        s->events.len = 0;
    else if (s->events.len)
        s->events.len = tsl_rng_below(&s->rng, s->events.len);
}

static void spoil(tsl_vm_spoiler *s, const tsl_trace *other) {
    size_t at = s->events.len ? tsl_rng_below(&s->rng, s->events.len) : 0;
    switch (s->events.len ? tsl_rng_below(&s->rng, 5) : 4) {
    case 0:
        s->head = *other->head;
        tsl_vec_clear(&s->events);
        for (size_t i = 0; i < other->nevents; i++)
            tsl_vec_push(&s->events, other->events[i]);
        break;
    case 1:
        s->events.len = at;
        break;
    case 2:
        change(s, &s->events.data[at]);
        break;
    case 3:
        move(s, at);
        break;
    default:
        end_otherwise(s);
        break;
    }
}

// ---------------------------------------------------------------- the interface

static unsigned room(void *self) {
    const tsl_vm_spoiler *s = self;
    return (unsigned)(16 - s->count);
}

static unsigned in_flight(void *self) { return (unsigned)((tsl_vm_spoiler *)self)->count; }

static bool submit(void *self, const tsl_plan *plan, tsl_err *err) {
    (void)err;
    tsl_vm_spoiler *s = self;
    tsl_plan_copy(&s->plans[(s->first + s->count++) % 16], plan);
    return true;
}

static bool run(tsl_vm_runner *runner, const tsl_plan *plan, tsl_trace *trace, tsl_err *err) {
    tsl_runner r = tsl_vm_runner_interface(runner);
    return r.submit(r.self, plan, err) && r.collect(r.self, trace, err);
}

static size_t steps_of(const tsl_plan *plan) {
    size_t n = 0;
    for (size_t i = 0; i < plan->items.len; i++)
        n += plan->items.data[i].kind == TSL_ITEM_RUN ? plan->items.data[i].count : 0;
    return n;
}

// Does one of the steps before the last planned one differ?
static bool differs_in_prefix(const tsl_vm_spoiler *s, const tsl_plan *plan,
                              const tsl_trace *right) {
    size_t steps = steps_of(plan), at = 0;
    for (; steps > 1 && at < right->nevents; at++) {
        const tsl_event *a = &right->events[at];
        if (a->kind == TSL_EV_ENABLE || a->kind == TSL_EV_DISABLE)
            continue;
        if (at >= s->events.len)
            return true;
        const tsl_event *b = &s->events.data[at];
        bool label = a->kind == TSL_EV_BRANCH; // the number of a label means nothing
        if (a->kind != b->kind || a->thread != b->thread || (a->addr != b->addr && !label))
            return true;
        steps -= a->kind >= TSL_EV_READ && a->kind != TSL_EV_BRANCH;
    }
    return false;
}

static bool collect(void *self, tsl_trace *trace, tsl_err *err) {
    tsl_vm_spoiler *s = self;
    const tsl_plan *plan = &s->plans[s->first];
    tsl_trace right, wrong;
    if (!run(s->own, plan, &right, err))
        return false;
    s->head = *right.head;
    tsl_vec_clear(&s->events);
    for (size_t i = 0; i < right.nevents; i++)
        tsl_vec_push(&s->events, right.events[i]);
    *trace = right;
    if (s->one_of && tsl_rng_below(&s->rng, s->one_of) == 0) {
        if (!run(s->other, plan, &wrong, err))
            return false;
        spoil(s, &wrong);
        s->spoiled++;
        s->prefixes += differs_in_prefix(s, plan, &right);
    }
    trace->head = &s->head;
    trace->events = s->events.data;
    trace->nevents = s->events.len;
    s->first = (s->first + 1) % 16;
    s->count--;
    return true;
}

tsl_runner tsl_vm_spoiler_interface(tsl_vm_spoiler *s) {
    return (tsl_runner){.self = s,
                        .workers = 1,
                        .room = room,
                        .in_flight = in_flight,
                        .submit = submit,
                        .collect = collect};
}
