// Sleeping steps; see sleep.h.
#include "vm/sleep.h"

#include "base/err.h"
#include "trace/trace.h"

static uint64_t size_of(const tsl_event *events, size_t nevents, size_t i) {
    bool measured = i + 1 < nevents && events[i + 1].kind == TSL_EV_LENGTH;
    return tsl_access_size(&events[i], measured ? events[i + 1].addr : 0);
}

void tsl_vm_accesses_of(const tsl_event *events, size_t nevents, tsl_vm_accesses *out) {
    out->n = 1;
    out->list[0] =
        tsl_access_make(events[0].kind, events[0].res, events[0].addr, size_of(events, nevents, 0));
    for (size_t i = 1; i < nevents; i++)
        if (events[i].kind == TSL_EV_ALSO) {
            TSL_BUG_ON(out->n == TSL_VM_STEP_ACCESSES, "a step of more than %u accesses", out->n);
            out->list[out->n++] = tsl_access_make(events[i].res & 255, events[i].res >> 8,
                                                  events[i].addr, size_of(events, nevents, i));
        }
}

bool tsl_vm_sleep_load(tsl_vm_sleep *sleep, const tsl_events *events) {
    sleep->n = 0;
    for (size_t at = 0; at < events->len;) {
        size_t end = at + 1;
        while (end < events->len && !tsl_event_is_step(events->data[end].kind))
            end++;
        if (sleep->n == TSL_VM_SLEEPERS || !tsl_event_is_step(events->data[at].kind))
            return false;
        const tsl_event *e = &events->data[at];
        sleep->steps[sleep->n].thread = e->thread;
        tsl_vm_accesses_of(e, end - at, &sleep->steps[sleep->n++].accesses);
        at = end;
    }
    return true;
}

bool tsl_vm_sleep_has(const tsl_vm_sleep *sleep, uint16_t thread) {
    for (unsigned i = 0; i < sleep->n; i++)
        if (sleep->steps[i].thread == thread)
            return true;
    return false;
}

static bool conflict(const tsl_vm_accesses *sleeping, const tsl_vm_accesses *executed) {
    for (unsigned i = 0; i < sleeping->n; i++)
        for (unsigned j = 0; j < executed->n; j++)
            if (tsl_access_conflict(&sleeping->list[i], &executed->list[j]))
                return true;
    return false;
}

static void lose_place(tsl_vm_accesses *sleeping, const tsl_vm_accesses *executed) {
    for (unsigned i = 0; i < sleeping->n; i++)
        for (unsigned j = 0; j < executed->n; j++)
            if (sleeping->list[i].kind == TSL_EV_BARRIER_ARRIVE &&
                executed->list[j].kind == TSL_EV_BARRIER_ARRIVE &&
                sleeping->list[i].addr == executed->list[j].addr)
                sleeping->list[i].res--;
}

void tsl_vm_sleep_executed(tsl_vm_sleep *sleep, const tsl_event *events, size_t nevents) {
    tsl_vm_accesses executed;
    if (!sleep->n)
        return;
    tsl_vm_accesses_of(events, nevents, &executed);
    unsigned kept = 0;
    for (unsigned i = 0; i < sleep->n; i++) {
        uint16_t thread = sleep->steps[i].thread;
        bool wakes = thread == events->thread || conflict(&sleep->steps[i].accesses, &executed);
        if (wakes)
            continue;
        lose_place(&sleep->steps[i].accesses, &executed);
        sleep->steps[kept++] = sleep->steps[i];
    }
    sleep->n = kept;
}
