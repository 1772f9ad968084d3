#include "model/prefix.h"

#include <string.h>

void tsl_prefix_drop(tsl_prefix *prefix) { tsl_vec_drop(&prefix->events); }

void tsl_prefix_keep(tsl_prefix *prefix, const tsl_run *run, size_t from, size_t n) {
    if (n > run->trace.nevents)
        n = run->trace.nevents;
    if (n <= from)
        return;
    tsl_vec_reserve(&prefix->events, n);
    memcpy(prefix->events.data + from, run->trace.events + from, (n - from) * sizeof(tsl_event));
    prefix->events.len = n;
}

// ---------------------------------------------------------------- events

// Does the result of such an event contain a mark of a value?  Marks change with the inputs.
static bool has_mark(unsigned kind) { return tsl_result_is_mark(kind) || kind == TSL_EV_CAS; }

static bool same_event(const tsl_event *a, const tsl_event *b, bool has_inputs) {
    if (a->kind != b->kind || a->thread != b->thread || a->site != b->site || a->arg != b->arg)
        return false;
    if (a->kind == TSL_EV_CAS && !has_inputs && (a->res ^ b->res) & 1)
        return false;
    return (a->kind == TSL_EV_BRANCH || a->addr == b->addr) &&
           (has_mark(a->kind) || a->res == b->res);
}

// The step at this position.  A note belongs to the step before it.
static tsl_event step_at(const tsl_event *events, size_t n, size_t at) {
    for (size_t i = at < n ? at + 1 : n; i-- > 0;)
        if (!tsl_is_note(events[i].kind))
            return events[i];
    return (tsl_event){.kind = TSL_EV_NONE};
}

static void describe(const tsl_prefix *prefix, const tsl_run *run, size_t n, size_t at,
                     tsl_divergence *out) {
    *out = (tsl_divergence){0};
    for (size_t i = 0; i <= at && i < n; i++)
        out->step += !tsl_is_note(prefix->events.data[i].kind);
    out->step -= out->step > 0;
    out->expected = step_at(prefix->events.data, n, at);
    if (at < run->trace.nevents)
        out->came = step_at(run->trace.events, run->trace.nevents, at);
}

// Did the run end right after the last step that is kept?  Then it has no notes about which threads
// were enabled there.
static bool ends_at(const tsl_prefix *prefix, const tsl_run *run, size_t i, size_t n) {
    if (i < run->trace.nevents && run->trace.events[i].kind != TSL_EV_PENDING)
        return false;
    for (; i < n; i++)
        if (prefix->events.data[i].kind != TSL_EV_ENABLE &&
            prefix->events.data[i].kind != TSL_EV_DISABLE)
            return false;
    return true;
}

bool tsl_prefix_same(const tsl_prefix *prefix, const tsl_run *run, size_t n, tsl_divergence *out) {
    const tsl_event *kept = prefix->events.data;
    if (n == 0)
        return true;
    bool there = n <= prefix->events.len && n <= run->trace.nevents;
    size_t same = there && run->known == &prefix->events ? run->nknown : 0;
    if (there && (n <= same ||
                  memcmp(kept + same, run->trace.events + same, (n - same) * sizeof *kept) == 0))
        return true;
    size_t most = n < prefix->events.len ? n : prefix->events.len;
    for (size_t i = 0; i < most && !ends_at(prefix, run, i, most); i++)
        if (i >= run->trace.nevents ||
            !same_event(&kept[i], &run->trace.events[i], run->trace.nnodes > 0)) {
            describe(prefix, run, most, i, out);
            return false;
        }
    if (n > prefix->events.len)
        describe(prefix, run, most, most, out);
    return n <= prefix->events.len;
}

size_t tsl_prefix_common(const tsl_prefix *prefix, const tsl_run *run) {
    tsl_run kept = {.trace = {.events = prefix->events.data, .nevents = prefix->events.len}};
    return tsl_run_common(&kept, run);
}

tsl_event tsl_prefix_at(const tsl_prefix *prefix, size_t position) {
    return position < prefix->events.len ? prefix->events.data[position]
                                         : (tsl_event){.kind = TSL_EV_NONE};
}

bool tsl_prefix_was_cut(unsigned outcome) {
    return outcome == TSL_OUT_TIME_LIMIT || outcome == TSL_OUT_STEP_LIMIT ||
           outcome == TSL_OUT_RUNTIME;
}

// ---------------------------------------------------------------- steps

static bool looks_at_request(const tsl_op *op) {
    for (unsigned i = 0; i < op->naccesses; i++)
        if (tsl_is_look(op->access[i].kind))
            return true;
    return false;
}

// Are the two on the same object or memory?  Only the step's own access is compared: the past of
// its thread decides that one, while further accesses may depend on other threads.  Which thread is
// created is only known once it was.
static bool same_place(const tsl_op *a, const tsl_op *b) {
    bool known = a->naccesses && b->naccesses && a->access[0].kind == a->kind &&
                 b->access[0].kind == b->kind && a->kind != TSL_EV_CREATE;
    return !known || a->access[0].addr == b->access[0].addr;
}

bool tsl_op_as_expected(const tsl_op *expected, const tsl_op *came, bool whole) {
    if (expected->thread != came->thread)
        return false;
    // A request to cancel, or a signal, makes a call that waits a step of another kind.
    if (!whole && (looks_at_request(expected) || looks_at_request(came)))
        return true;
    if (expected->kind != came->kind)
        return false;
    if (!whole && !same_place(expected, came))
        return false;
    if (!whole || expected->unknown || came->unknown || came->kind == TSL_EV_CAS)
        return true; // whether a compare-and-swap stores, and so its role, may depend on inputs
    if (expected->naccesses != came->naccesses)
        return false;
    for (unsigned i = 0; i < came->naccesses; i++) {
        const tsl_access *a = &expected->access[i], *b = &came->access[i];
        if (a->addr != b->addr || a->kind != b->kind || a->size != b->size || a->role != b->role)
            return false;
    }
    return true;
}

tsl_event tsl_op_event(const tsl_op *op, uint32_t site) {
    uint64_t addr = op->naccesses ? op->access[0].addr : 0;
    return (tsl_event){.addr = addr & 0xffffffffffffull,
                       .kind = op->kind,
                       .site = site,
                       .thread = op->thread,
                       .res = op->naccesses ? op->access[0].res : 0};
}
