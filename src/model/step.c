#include "model/step.h"

#include "abi/sabotage.h"

// ---------------------------------------------------------------- reading

// The runtime says so when it tells of such a range.
static bool is_too_long(unsigned kind, uint64_t size) {
    return size > TSL_MOST_RANGE && tsl_is_memory(kind) && kind != TSL_EV_FREE;
}

static unsigned find_kind(const tsl_op *op, unsigned kind) {
    unsigned i = 0;
    while (i < op->naccesses && op->access[i].kind != kind)
        i++;
    return i;
}

// An access that is worth less than others: hidden state, or what libc frees.
static unsigned find_lesser(const tsl_op *op) {
    unsigned i = find_kind(op, TSL_EV_STATE);
    return i < op->naccesses ? i : find_kind(op, TSL_EV_FREE);
}

// There is no room: the step conflicts with everything from now on.  What is left of its accesses is for data races, so
// loads and stores come first.
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

static uint64_t length_behind(const tsl_trace *trace, size_t at) {
    bool there = at + 1 < trace->nevents && trace->events[at + 1].kind == TSL_EV_LENGTH;
    return there ? trace->events[at + 1].addr : 1;
}

static inline __attribute__((always_inline)) void begin(const tsl_trace *trace, size_t at,
                                                        tsl_step_view *step) {
    const tsl_event *e = &trace->events[at];
    unsigned kind = e->kind, code = e->arg & 15u;
    uint64_t size = !tsl_is_memory(kind)    ? tsl_sync_size(code)
                    : code == TSL_ARG_RANGE ? length_behind(trace, at)
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
                                              tsl_access_size(e, length_behind(trace, at))));
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

bool tsl_step_read(const tsl_trace *trace, size_t at, tsl_step_view *step) {
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

tsl_trace tsl_step_decisive_part(const tsl_trace *trace) {
    tsl_trace part = *trace;
    int thread = -1;
    for (size_t i = trace->nevents; i-- > 0;) {
        const tsl_event *e = &trace->events[i];
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
        part.nevents = i;
    }
    return part;
}

bool tsl_step_read_pending(const tsl_trace *trace, size_t *at, tsl_step_view *step) {
    for (; *at < trace->nevents; ++*at) {
        const tsl_event *e = &trace->events[*at];
        if (e->kind != TSL_EV_PENDING)
            continue;
        tsl_event as_step = {.addr = e->addr,
                             .kind = e->arg,
                             .arg = e->res & 15,
                             .thread = e->thread,
                             .site = e->site};
        tsl_trace one = {.events = &as_step, .nevents = 1};
        begin(&one, 0, step);
        step->op.unknown |= e->arg == TSL_EV_CALL; // what it would do is not told
        if (e->res & TSL_PENDING_REQUEST)
            add_access(&step->op, tsl_request_access(e->thread, TSL_REQUEST_SEEN));
        if (e->res & TSL_PENDING_SIGNAL)
            add_access(&step->op, tsl_signal_access(e->thread, TSL_REQUEST_SEEN));
        if (e->arg == TSL_EV_SECTION) // what it will access nobody knows
            add_access(&step->op, tsl_access_make(TSL_EV_ASM, 0, 0, 0));
        step->order = __ATOMIC_SEQ_CST; // what was not executed has weakened nothing
        step->ready = e->res & TSL_PENDING_READY;
        step->event = *at;
        ++*at;
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- dependence

void tsl_op_pass(tsl_op *sleeping, const tsl_op *executed) {
    if (sleeping->kind == TSL_EV_BARRIER_ARRIVE && executed->kind == TSL_EV_BARRIER_ARRIVE &&
        sleeping->access[0].addr == executed->access[0].addr && sleeping->access[0].res > 0)
        sleeping->access[0].res--;
}

static tsl_op with_result(const tsl_op *op, bool most) {
    tsl_op out = *op;
    for (unsigned i = 0; i < out.naccesses; i++) {
        tsl_access *a = &out.access[i];
        bool add = tsl_role_rule(a->kind) == TSL_RULE_ADD_IF;
        if (a->kind == TSL_EV_BARRIER_ARRIVE)
            a->res = most ? 0 : UINT16_MAX;
        else if (tsl_op_varies(a->kind))
            a->role = !most ? TSL_ROLE_READ : add ? TSL_ROLE_ADD : TSL_ROLE_WRITE;
    }
    return out;
}

tsl_op tsl_op_at_most(const tsl_op *op) { return with_result(op, true); }
tsl_op tsl_op_at_least(const tsl_op *op) { return with_result(op, false); }

// ---------------------------------------------------------------- writing

// An object of that size; which of them it is does not matter to dependence.
static unsigned object_of_size(uint64_t size) {
    unsigned object = 0;
    while (object + 1 < TSL_SYNC_OBJECTS && tsl_sync_size(object) != size)
        object++;
    return object;
}

static void push_event(const tsl_op *op, unsigned i, unsigned kind, unsigned res, tsl_events *out) {
    const tsl_access *a = &op->access[i];
    tsl_vec_push(out, (tsl_event){.addr = a->addr & 0xffffffffffffull,
                                  .kind = kind,
                                  .arg = a->space == TSL_SPACE_MEMORY ? TSL_ARG_RANGE
                                                                      : object_of_size(a->size),
                                  .thread = op->thread,
                                  .res = (uint16_t)res});
    if (a->space == TSL_SPACE_MEMORY)
        tsl_vec_push(out, (tsl_event){.addr = a->size & 0xffffffffffffull,
                                      .kind = TSL_EV_LENGTH,
                                      .thread = op->thread});
}

void tsl_op_to_events(const tsl_op *op, tsl_events *out) {
    bool main_access = op->naccesses && op->access[0].kind == op->kind;
    if (main_access)
        push_event(op, 0, op->kind, op->access[0].res, out);
    else
        tsl_vec_push(out, (tsl_event){.kind = op->kind, .thread = op->thread});
    for (unsigned i = main_access; i < op->naccesses; i++)
        push_event(op, i, TSL_EV_ALSO, op->access[i].kind | (unsigned)op->access[i].res << 8, out);
    if (op->unknown)
        tsl_vec_push(out,
                     (tsl_event){.kind = TSL_EV_ALSO, .thread = op->thread, .res = TSL_EV_ASM});
}
