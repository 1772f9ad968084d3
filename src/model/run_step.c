// What step do an event and its notes make?  Events are decoded only here.
#include "model/run.h"

// Is the range too long to be looked at?  The runtime has weakened the claim when it records one.
static bool is_too_long(unsigned kind, uint64_t size) {
    return size > TSL_MOST_RANGE && tsl_is_memory(kind) && kind != TSL_EV_FREE;
}

static unsigned find_kind(const tsl_op *op, unsigned kind) {
    unsigned i = 0;
    while (i < op->naccesses && op->access[i].kind != kind)
        i++;
    return i;
}

// The index of an access that says less than others: one of hidden state, or of a block that libc
// frees.
static unsigned find_lesser(const tsl_op *op) {
    unsigned i = find_kind(op, TSL_EV_STATE);
    return i < op->naccesses ? i : find_kind(op, TSL_EV_FREE);
}

// There is no room for another access, so from now on the step conflicts with everything.  Its
// other accesses only serve to find data races, so loads and stores displace the rest.
static void add_beyond(tsl_op *op, tsl_access access) {
    unsigned lesser = find_lesser(op);
    if (find_kind(op, TSL_EV_ASM) == op->naccesses) {
        op->access[lesser < op->naccesses ? lesser : op->naccesses - 1u] =
            tsl_access_make(TSL_EV_ASM, 0, 0, 0);
        lesser = find_lesser(op);
    }
    if (tsl_is_memory(access.kind) && access.kind != TSL_EV_FREE && lesser < op->naccesses)
        op->access[lesser] = access;
}

static void add_access(tsl_op *op, tsl_access access) {
    if (is_too_long(access.kind, access.size)) {
        op->unknown = true;
        return;
    }
    if (access.space == TSL_SPACE_NONE || (TSL_BROKEN(CAS_INPUTS) && op->kind == TSL_EV_CAS))
        return;
    if (TSL_BROKEN(REQUEST_READ) && access.kind == TSL_EV_TESTCANCEL)
        return;
    if (TSL_BROKEN(SIGNAL_READ) && access.kind == TSL_EV_TESTSIGNAL)
        return;
    if (op->naccesses == TSL_OP_ACCESSES)
        add_beyond(op, access);
    else
        op->access[op->naccesses++] = access;
}

static inline __attribute__((always_inline)) void begin(const tsl_trace *trace, size_t at,
                                                        tsl_step_view *step) {
    const tsl_event *e = &trace->events[at];
    unsigned kind = e->kind, code = e->arg & 15u;
    uint64_t size = !tsl_is_memory(kind)    ? tsl_sync_size(code)
                    : code == TSL_ARG_RANGE ? tsl_length_behind(trace, at)
                                            : 1ull << code;
    step->op.thread = e->thread;
    step->op.kind = (uint8_t)kind;
    step->op.unknown = false;
    step->op.naccesses = tsl_access_fill(&step->op.access[0], kind, e->res, e->addr, size);
    if (__builtin_expect(size > TSL_MOST_RANGE, 0) && is_too_long(kind, size)) {
        step->op.naccesses = 0;
        step->op.unknown = true;
    }
    if (__builtin_expect(e->arg & TSL_ARG_LOOKS, 0))
        add_access(&step->op, tsl_request_access(e->thread, TSL_REQUEST_NONE));
    step->addr = e->addr;
    step->res = e->res;
    step->choice = step->nchoices = 0;
    if (e->kind == TSL_EV_BRANCH) {
        step->choice = e->res;
        step->nchoices = 2;
    }
    step->order = TSL_ARG_ORDER(e->arg);
    step->site = e->site;
    step->event = at;
    step->nwakes = 0;
}

static void add_note(const tsl_trace *trace, size_t at, tsl_step_view *step) {
    const tsl_event *e = &trace->events[at];
    switch (e->kind) {
    case TSL_EV_ALSO:
        add_access(&step->op, tsl_access_make(e->res & 255u, e->res >> 8, e->addr,
                                              tsl_access_size(e, tsl_length_behind(trace, at))));
        break;
    case TSL_EV_WAKE:
        if (step->nwakes < TSL_STEP_WAKES)
            step->wakes[step->nwakes++] = (tsl_wake){
                .thread = e->res, .could_give_up = e->arg & 1, .reads_request = e->arg & 2};
        else
            step->op.unknown = true;
        break;
    case TSL_EV_CHOICE:
        step->choice = e->res;
        step->nchoices = (uint16_t)e->addr;
        break;
    default:
        break;
    }
}

bool tsl_run_step(const tsl_run *run, size_t at, tsl_step_view *step) {
    const tsl_trace *trace = &run->trace;
    const tsl_event *events = trace->events;
    size_t n = trace->nevents;
    while (at < n && tsl_is_note(events[at].kind))
        at++;
    if (at >= n)
        return false;
    begin(trace, at, step);
    for (at++; at < n && tsl_is_note(events[at].kind); at++)
        if (events[at].kind != TSL_EV_ENABLE && events[at].kind != TSL_EV_DISABLE)
            add_note(trace, at, step);
    step->next = at;
    return true;
}

// ---------------------------------------------------------------- pending steps

bool tsl_run_pending(const tsl_run *run, size_t *at, tsl_step_view *step) {
    const tsl_event *events = run->trace.events;
    while (*at < run->trace.nevents && events[*at].kind != TSL_EV_PENDING)
        ++*at;
    if (*at >= run->trace.nevents)
        return false;
    const tsl_event *e = &events[*at];
    tsl_event as_step = {
        .addr = e->addr, .kind = e->arg, .arg = e->res & 15, .thread = e->thread, .site = e->site};
    begin(&(tsl_trace){.events = &as_step, .nevents = 1}, 0, step);
    step->op.unknown |= e->arg == TSL_EV_CALL; // what the call would do is not known
    if (e->res & TSL_PENDING_REQUEST)
        add_access(&step->op, tsl_request_access(e->thread, TSL_REQUEST_SEEN));
    if (e->res & TSL_PENDING_SIGNAL)
        add_access(&step->op, tsl_signal_access(e->thread, TSL_REQUEST_SEEN));
    if (e->arg == TSL_EV_SECTION) // what the section would access is not known
        add_access(&step->op, tsl_access_make(TSL_EV_ASM, 0, 0, 0));
    step->order = __ATOMIC_SEQ_CST; // a step that did not run has not weakened any order
    step->ready = e->res & TSL_PENDING_READY;
    step->event = (*at)++;
    return true;
}
