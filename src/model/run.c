// How is a Trace checked, and what does it say at a position?  See run.h.
#include "model/run.h"

#include <string.h>

#include "base/err.h"
#include "trace/print.h"

void tsl_run_drop(tsl_run *run) {
    tsl_vec_drop(&run->copy);
    *run = (tsl_run){0};
}

// ---------------------------------------------------------------- taking a Trace

// Do the kinds that an event names exist, and are its threads possible?
static bool makes_sense(const tsl_event *e) {
    if (e->kind >= TSL_EV_COUNT || e->thread >= TSL_MAX_THREADS)
        return false;
    switch ((unsigned)e->kind) {
    case TSL_EV_NONE:
        return false;
    case TSL_EV_ENABLE:
    case TSL_EV_DISABLE:
    case TSL_EV_WAKE:
        return e->res < TSL_MAX_THREADS;
    case TSL_EV_CHOICE:
        return e->res < e->addr;
    case TSL_EV_ALSO:
        return (e->res & 255u) < TSL_EV_COUNT && !tsl_is_note(e->res & 255u);
    case TSL_EV_PENDING:
        return e->arg < TSL_EV_COUNT && !tsl_is_note(e->arg);
    default:
        return true;
    }
}

// Does the event make no sense, or tell of a pending step?  Of most only two fields are looked at.
static __attribute__((noinline)) bool may_be_odd(const tsl_event *e) {
    return e->kind == TSL_EV_PENDING || !makes_sense(e);
}

static inline bool is_odd(const tsl_event *e) {
    bool is_step = e->kind - (unsigned)TSL_EV_READ < TSL_EV_COUNT - (unsigned)TSL_EV_READ;
    return __builtin_expect(!is_step || e->thread >= TSL_MAX_THREADS, 0) && may_be_odd(e);
}

// At least so many events are those that are known.
static size_t count_known(const tsl_event *events, size_t n, const tsl_events *known) {
    enum { BLOCK = 16 }; // events that are compared at once
    size_t at = 0, most = known->len < n ? known->len : n;
    while (at + BLOCK <= most && memcmp(events + at, known->data + at, BLOCK * sizeof *events) == 0)
        at += BLOCK;
    return at;
}

bool tsl_run_take(tsl_run *run, const tsl_trace *trace, const tsl_events *known) {
    size_t n = trace->nevents;
    tsl_vec_reserve(&run->copy, n);
    tsl_event *copy = run->copy.data; // is checked, because the program may change the original
    if (n)
        memcpy(copy, trace->events, n * sizeof *copy);
    run->known = known;
    run->nknown = known ? count_known(copy, n, known) : 0;
    size_t at = run->nknown;
    while (at && tsl_is_note(copy[at - 1].kind)) // before a step that is known, nothing is pending
        at--;
    while (at < n && !is_odd(&copy[at]))
        at++;
    while (at < n && tsl_is_note(copy[at].kind) && makes_sense(&copy[at])) // no step follows these
        at++;
    bool sound = at == n;
    run->copy.len = sound ? n : 0;
    run->head = trace->head;
    run->trace = *trace;
    run->trace.events = run->copy.data;
    run->trace.nevents = run->copy.len;
    run->outcome = trace->head->outcome;
    if (!sound && !tsl_outcome_is_bug(run->outcome))
        run->outcome = TSL_OUT_RUNTIME;
    return sound;
}

void tsl_run_copy(tsl_run *run, const tsl_run *other, size_t from, size_t to) {
    size_t n = to - from;
    tsl_vec_reserve(&run->copy, n);
    if (n)
        memcpy(run->copy.data, other->trace.events + from, n * sizeof *run->copy.data);
    run->copy.len = n;
    run->head = NULL;
    run->trace = (tsl_trace){.events = run->copy.data, .nevents = run->copy.len};
    run->outcome = other->outcome;
}

size_t tsl_run_common(const tsl_run *a, const tsl_run *b) {
    const tsl_event *x = a->trace.events, *y = b->trace.events; // two words without padding
    size_t n = a->trace.nevents < b->trace.nevents ? a->trace.nevents : b->trace.nevents, i = 0;
    while (i < n && memcmp(&x[i], &y[i], sizeof *x) == 0)
        i++;
    return i;
}

tsl_run tsl_run_until(const tsl_run *run, size_t position) {
    tsl_run part = {.head = run->head, .trace = run->trace, .outcome = run->outcome};
    part.trace.nevents = position;
    return part;
}

// Goes backwards to the last step that decides something or belongs to another thread.
tsl_run tsl_run_decisive_part(const tsl_run *run) {
    tsl_run part = {.head = run->head, .trace = run->trace, .outcome = run->outcome};
    int thread = -1;
    for (size_t i = run->trace.nevents; i-- > 0;) {
        const tsl_event *e = &run->trace.events[i];
        unsigned kind = e->kind;
        if (tsl_is_plain_access(kind)) {
            if ((e->arg & 15u) == TSL_ARG_RANGE || (thread >= 0 && thread != e->thread))
                break;
            thread = e->thread;
        } else if (kind == TSL_EV_ENABLE || kind == TSL_EV_DISABLE)
            continue;
        else if (kind != TSL_EV_END && (kind != TSL_EV_JOIN || e->res) &&
                 (kind != TSL_EV_EXIT || e->thread))
            break;
        part.trace.nevents = i;
    }
    return part;
}

void tsl_run_schedule_to_plan(const tsl_run *run, size_t from, size_t to, tsl_plan *plan) {
    tsl_trace part = run->trace;
    part.events += from;
    part.nevents = to - from;
    tsl_trace_schedule_to_plan(&part, plan);
}

// ---------------------------------------------------------------- steps

size_t tsl_run_behind_notes(const tsl_run *run, size_t position) {
    while (position < run->trace.nevents && tsl_is_note(run->trace.events[position].kind))
        position++;
    return position;
}

size_t tsl_run_steps_before(const tsl_run *run, size_t position, bool turns) {
    size_t n = 0;
    for (size_t i = 0; i < position && i < run->trace.nevents; i++) {
        unsigned kind = run->trace.events[i].kind;
        n += !tsl_is_note(kind) && !(turns && kind == TSL_EV_BRANCH);
    }
    return n;
}

static bool last_step(const tsl_run *run, int thread, size_t *position) {
    for (size_t i = run->trace.nevents; i-- > 0;) {
        const tsl_event *e = &run->trace.events[i];
        if (tsl_is_note(e->kind) || (thread >= 0 && e->thread != thread))
            continue;
        *position = i;
        return true;
    }
    return false;
}

bool tsl_run_last_step(const tsl_run *run, size_t *position) {
    return last_step(run, -1, position);
}

bool tsl_run_last_step_of(const tsl_run *run, unsigned thread, size_t *position) {
    return last_step(run, (int)thread, position);
}

tsl_event tsl_step_event(const tsl_step_view *step) {
    return (tsl_event){.addr = step->addr & 0xffffffffffffull,
                       .kind = step->op.kind,
                       .site = step->site,
                       .thread = step->op.thread,
                       .res = step->res};
}

bool tsl_run_block(const tsl_run *run, uint64_t addr, tsl_block *block) {
    for (size_t i = run->trace.nevents; i-- > 0;) {
        const tsl_event *e = &run->trace.events[i];
        uint64_t size = e->kind == TSL_EV_ALLOC ? tsl_print_size(&run->trace, i) : 0;
        if (addr - e->addr >= size)
            continue;
        *block = (tsl_block){.addr = e->addr, .size = size, .site = e->site};
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- enabled threads

void tsl_enabled_drop(tsl_enabled *set) { tsl_vec_drop(&set->threads); }

void tsl_enabled_clear(tsl_enabled *set) {
    tsl_vec_clear(&set->threads);
    set->position = 0;
}

// The index of the first thread whose number is not less than this one.
static size_t place_of(const tsl_enabled *set, unsigned thread) {
    size_t at = 0;
    while (at < set->threads.len && set->threads.data[at] < thread)
        at++;
    return at;
}

bool tsl_enabled_has(const tsl_enabled *set, unsigned thread) {
    size_t at = place_of(set, thread);
    return at < set->threads.len && set->threads.data[at] == thread;
}

static void enable(tsl_enabled *set, unsigned thread) {
    if (!tsl_enabled_has(set, thread))
        tsl_vec_insert(&set->threads, place_of(set, thread), (uint16_t)thread);
}

static void disable(tsl_enabled *set, unsigned thread) {
    if (tsl_enabled_has(set, thread))
        tsl_vec_remove(&set->threads, place_of(set, thread));
}

void tsl_run_enabled(const tsl_run *run, size_t position, tsl_enabled *set) {
    TSL_BUG_ON(position < set->position, "enabled threads at %zu are asked for behind %zu",
               position, set->position);
    for (; set->position < position && set->position < run->trace.nevents; set->position++) {
        const tsl_event *e = &run->trace.events[set->position];
        if (e->kind == TSL_EV_ENABLE)
            enable(set, e->res);
        else if (e->kind == TSL_EV_DISABLE && !TSL_BROKEN(ENABLED))
            disable(set, e->res);
    }
}

// ---------------------------------------------------------------- decisions

bool tsl_run_decision(const tsl_run *run, size_t *position, tsl_decision *out) {
    const tsl_event *events = run->trace.events;
    for (; *position < run->trace.nevents; ++*position) {
        const tsl_event *e = &events[*position];
        unsigned kind = e->kind;
        if (__builtin_expect(kind != TSL_EV_BRANCH && kind != TSL_EV_CHOICE, 1))
            continue;
        if (kind == TSL_EV_CHOICE && !tsl_trace_chose(&run->trace, *position))
            continue;
        *out = (tsl_decision){.position = *position,
                              .thread = e->thread,
                              .site = e->site,
                              .is_branch = kind == TSL_EV_BRANCH,
                              .taken = e->res};
        if (out->is_branch)
            out->label = e->addr;
        else
            out->alternatives = e->addr;
        ++*position;
        return true;
    }
    return false;
}

bool tsl_run_has_choice(const tsl_run *run) {
    for (size_t i = 0; i < run->trace.nevents; i++)
        if (run->trace.events[i].kind == TSL_EV_CHOICE)
            return true;
    return false;
}

// ---------------------------------------------------------------- the end

size_t tsl_run_behind(const tsl_run *run) {
    size_t i = run->trace.nevents;
    while (i > 0 && tsl_is_note(run->trace.events[i - 1].kind))
        i--;
    return i;
}

void tsl_run_check(const tsl_run *run) {
    size_t n = run->trace.nevents, last = 0, steps = 0;
    tsl_step_view view;
    for (size_t i = 0; i < n; i++) {
        const tsl_event *e = &run->trace.events[i];
        TSL_BUG_ON(!makes_sense(e), "event %zu of kind %u makes no sense", i, (unsigned)e->kind);
        TSL_BUG_ON(e->kind == TSL_EV_PENDING && i < tsl_run_behind(run),
                   "a pending step stands at %zu, before the end", i);
    }
    for (size_t at = 0; tsl_run_step(run, at, &view); at = view.next, steps++) {
        TSL_BUG_ON(view.event < last || view.next <= view.event || view.next > n,
                   "the step at %zu reaches up to %zu of %zu", view.event, view.next, n);
        TSL_BUG_ON(view.op.naccesses > TSL_OP_ACCESSES || view.nwakes > TSL_STEP_WAKES,
                   "the step at %zu has %u accesses and %zu wakes", view.event, view.op.naccesses,
                   view.nwakes);
        last = view.next;
    }
    TSL_BUG_ON(steps != tsl_run_steps_before(run, n, false), "%zu steps are read", steps);
}
