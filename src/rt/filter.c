// The filter of long runs: which accesses of a thread that has taken many steps are not recorded?
//
//     an access is left out if its thread has made the same access before, of the same bytes and both
//     loads or both stores, since it last synchronised; only behind TSLRT_FILTER_AFTER of its own steps
//
// What a thread leaves out depends on its own steps alone: it begins behind an exact number of them, and each
// has a table of its own.  So all equivalent runs, and replays, leave out the same accesses.  There are tables for
// more threads than a run of ordinary length can have with so many steps.
//
// A switch only adds up the own steps of the thread it leaves.  No thread has taken as many as that before the
// run has, so nobody looks at them until then: RUN->ask_at is where the scheduler comes here.
#include <string.h>

#include "rt.h"

#define NEVER ((int64_t)1 << 60)

static void ask_at(int64_t steps) {
    uint64_t most = RUN->plan->max_steps;
    RUN->ask_at = most < (uint64_t)steps ? (int64_t)most : steps;
}

void tslrt_filter_begin(void) { ask_at(RUN->filters ? TSLRT_FILTER_AFTER : NEVER); }

static bool may_start(const tslrt_fiber *fiber) {
    return RUN->filters && !fiber->filter && RUN->nfilters < TSLRT_MAX_FILTERS;
}

void tslrt_filter_look(int64_t steps) {
    tslrt_fiber *self = SELF;
    int64_t due = RUN->switched_at - 1 - self->own_steps + TSLRT_FILTER_AFTER;
    RUN->uneven |=
        RUN->filters && steps > TSLRT_FILTER_AFTER; // from now on each thread is looked at
    if (may_start(self) && steps > due) {
        self->filter = ++RUN->nfilters;
        tslrt_recording_update();
    }
    if (steps > TSLRT_FILTER_AFTER)
        ask_at(may_start(self) ? due : NEVER);
}

// ---------------------------------------------------------------- accesses

// Seen before by this thread since it last synchronised?
static bool seen(uintptr_t a, unsigned kind, uint64_t size) {
    struct entry {
        uint64_t key, when;
    } *table = (struct entry *)(TSLRT_FILTERS_AT + (SELF->filter - 1) * TSLRT_FILTER_SIZE);
    bool writes = kind == TSL_EV_WRITE || kind == TSL_EV_VWRITE;
    uint64_t key = a << 8 | (size & 0x1f) << 1 | writes;
    uint64_t when = SELF->sync_epoch + 1ull;
    struct entry *entry = &table[(key * 0x9e3779b97f4a7c15ull) >> 49];
    bool hit = entry->key == key && entry->when == when;
    entry->key = key;
    entry->when = when;
    return hit;
}

bool tslrt_filter_takes(uintptr_t a, unsigned kind, uint64_t size) {
    if (!seen(a, kind, size))
        return false;
    if (!(RUN->flags & TSL_TRACE_FILTERED))
        tslrt_say("long runs: past %u steps of a thread, accesses that it repeats before it "
                  "synchronises again are left out",
                  TSLRT_FILTER_AFTER);
    RUN->flags |= TSL_TRACE_FILTERED;
    return true;
}

void tslrt_filter_reset(void) {
    memset((void *)TSLRT_FILTERS_AT, 0, RUN->nfilters * TSLRT_FILTER_SIZE);
}
