// The filter of long runs: which accesses of a thread that has taken many steps are not recorded?
//
//     a thread that has taken TSLRT_FILTER_AFTER steps leaves out an access if it has made the same
//     access (the same bytes, both loads or both stores) since it last synchronised
//
// What a thread leaves out depends on its own steps alone: its filter starts at an exact number of
// them, and each thread has its own table.  So all equivalent runs, and replays, leave out the same
// accesses.  There are more tables than threads that can take so many steps in an ordinary run.
//
// A switch only adds up the steps of the thread it leaves.  As long as the run has fewer steps than
// TSLRT_FILTER_AFTER, no thread needs to be looked at; the scheduler comes here at RUN->fuel.ask_at.
#include <string.h>

#include "filter.h"
#include "state.h"

#define NEVER ((int64_t)1 << 60)

static void ask_at(int64_t steps) {
    uint64_t most = RUN->plan->max_steps;
    RUN->fuel.ask_at = most < (uint64_t)steps ? (int64_t)most : steps;
}

void tslrt_filter_begin(void) { ask_at(RUN->filter.on ? TSLRT_FILTER_AFTER : NEVER); }

static bool may_start(const tslrt_fiber *fiber) {
    return RUN->filter.on && !fiber->filter.table && RUN->filter.n < TSLRT_MAX_FILTERS;
}

void tslrt_filter_look(int64_t steps) {
    tslrt_fiber *self = SELF;
    int64_t due = RUN->fuel.switched_at - 1 - self->context.own_steps + TSLRT_FILTER_AFTER;
    RUN->uneven |= RUN->filter.on && steps > TSLRT_FILTER_AFTER; // each switch looks from now on
    if (may_start(self) && steps > due) {
        self->filter.table = ++RUN->filter.n;
        tslrt_recording_update();
    }
    if (steps > TSLRT_FILTER_AFTER)
        ask_at(may_start(self) ? due : NEVER);
}

// ---------------------------------------------------------------- accesses

// Has the running thread made this access since it last synchronised?
static bool seen(uintptr_t a, unsigned kind, uint64_t size) {
    struct entry {
        uint64_t key, when;
    } *table = (struct entry *)(TSLRT_FILTERS_AT + (SELF->filter.table - 1) * TSLRT_FILTER_SIZE);
    bool writes = kind == TSL_EV_WRITE || kind == TSL_EV_VWRITE;
    uint64_t key = a << 8 | (size & 0x1f) << 1 | writes;
    uint64_t when = SELF->filter.epoch + 1ull;
    struct entry *entry = &table[(key * 0x9e3779b97f4a7c15ull) >> 49];
    bool hit = entry->key == key && entry->when == when;
    entry->key = key;
    entry->when = when;
    return hit;
}

bool tslrt_filter_takes(uintptr_t a, unsigned kind, uint64_t size) {
    if (!seen(a, kind, size))
        return false;
    if (!(RUN->trace.flags & TSL_TRACE_FILTERED))
        tslrt_say("long runs: past %u steps of a thread, accesses that it repeats before it "
                  "synchronises again are left out",
                  TSLRT_FILTER_AFTER);
    RUN->trace.flags |= TSL_TRACE_FILTERED;
    return true;
}

void tslrt_filter_reset(void) {
    memset((void *)TSLRT_FILTERS_AT, 0, RUN->filter.n * TSLRT_FILTER_SIZE);
}
