// Atomic sections, as SV-COMP's programs write them.
//
// From __VERIFIER_atomic_begin to __VERIFIER_atomic_end, and in a function whose name begins with
// __VERIFIER_atomic_, no other thread takes a step.  So a whole section is one step, SECTION.  Its
// accesses are kept here; when the section ends, they are written behind its event, as notes.
//
// A step of another kind (a lock, the creation of a thread) splits the section in two: other
// threads may run at that step, and only there.
#include <string.h>

#include "../notes.h"
#include "../quick.h"
#include "../sabotage.h"
#include "../start.h"
#include "exclusive.h"
#include "objects.h"

// ---------------------------------------------------------------- accesses

static bool overlap(const tslrt_kept *a, uintptr_t addr, uint64_t size) {
    return a->addr < addr + size && addr < a->addr + a->size;
}

static uint64_t value_at(uintptr_t addr, uint64_t size) {
    uint64_t value = 0;
    memcpy(&value, (const void *)addr, size <= 8 ? size : 0);
    return value;
}

static void keep(uintptr_t addr, uint64_t size, unsigned kind) {
    tslrt_exclusive *x = &RUN->exclusive;
    if (TSLRT_BROKEN(SECTION_ACCESS))
        return;
    for (unsigned i = 0; i < x->n; i++) {
        tslrt_kept *a = &x->kept[i];
        if (!overlap(a, addr, size))
            continue;
        if (!tsl_is_load(kind))
            a->kind = TSL_EV_AWRITE;
        if (a->addr == addr && a->size == size)
            return;
        uintptr_t low = a->addr < addr ? a->addr : addr;
        uintptr_t end = a->addr + a->size > addr + size ? a->addr + a->size : addr + size;
        a->addr = low;
        a->size = end - low;
        a->old = ~value_at(low, a->size); // part of it may have been written
        return;
    }
    if (x->n == TSLRT_KEPT) {
        x->lost = true;
        return;
    }
    tslrt_kept *a = &x->kept[x->n++];
    *a = (tslrt_kept){.addr = addr, .size = size, .old = value_at(addr, size)};
    a->kind = tsl_is_load(kind) ? TSL_EV_AREAD : TSL_EV_AWRITE;
}

static void begin_step(uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt_op(TSL_EV_SECTION, NULL);
    RUN->exclusive = (tslrt_exclusive){.event = TSL_HOT->cursor - 1};
}

void tslrt_exclusive_access(const void *p, uint32_t site, unsigned kind, uint64_t size) {
    if (!RUN->exclusive.event)
        begin_step(site);
    if (++RUN->exclusive.count > RUN->plan->max_steps && tslrt_watched())
        tslrt_end(TSL_OUT_STEP_LIMIT, site, NULL, "%lu accesses in an atomic section, and no end",
                  (unsigned long)RUN->exclusive.count - 1);
    tslrt_heap_check_also((uintptr_t)p, size, site, kind);
    if (!tsl_is_load(kind))
        tslrt_wrote(p, size);
    keep((uintptr_t)p, size, kind);
    if (kind == TSL_EV_RMW || kind == TSL_EV_CAS)
        tslrt_note(TSL_EV_NONE, 0, 0); // the hook of its result writes into the last event
}

// ---------------------------------------------------------------- notes

// Makes room for notes right after the event, by moving what was recorded since.
static tsl_event *make_room(tsl_event *event, unsigned n) {
    tsl_event *from = event + 1;
    memmove(from + n, from, (size_t)(TSL_HOT->cursor - from) * sizeof *from);
    for (unsigned i = 0; i < n; i++)
        tslrt_note(TSL_EV_NONE, 0, 0); // takes the room that fuel was granted for
    return from;
}

void tslrt_exclusive_close(void) {
    if (!RUN->exclusive.event)
        return;
    tslrt_exclusive x = RUN->exclusive;
    RUN->exclusive.event = NULL;
    unsigned notes = x.lost;
    for (unsigned i = 0; i < x.n; i++)
        notes += tslrt_size_code(x.kept[i].size) == TSL_ARG_RANGE ? 2 : 1;
    unsigned thread = x.event->thread;
    tsl_event *at = make_room(x.event, notes);
    tsl_event note = {.thread = (uint16_t)thread};
    for (unsigned i = 0; i < x.n; i++) {
        const tslrt_kept *a = &x.kept[i];
        note.addr = a->addr & 0xffffffffffffull;
        note.kind = TSL_EV_ALSO;
        note.res = a->kind;
        bool same = a->size <= 8 && value_at(a->addr, a->size) == a->old;
        note.arg = (uint8_t)(tslrt_size_code(a->size) | (same ? TSL_ARG_SAME : 0));
        *at++ = note;
        if ((note.arg & 15u) != TSL_ARG_RANGE)
            continue;
        *at++ = (tsl_event){.addr = a->size, .kind = TSL_EV_LENGTH, .thread = (uint16_t)thread};
    }
    if (x.lost) // there were more accesses than fit, so the section may have touched anything
        *at = (tsl_event){.kind = TSL_EV_ALSO, .res = TSL_EV_ASM, .thread = (uint16_t)thread};
}

bool tslrt_exclusive_takes(unsigned kind, const void *object, unsigned size_code) {
    if (!SELF->exclusive || kind == TSL_EV_SECTION)
        return false;
    if (kind == TSL_EV_FENCE || kind == TSL_EV_YIELD || kind == TSL_EV_SLEEP)
        return true;
    if (tsl_is_memory(kind) && kind != TSL_EV_FREE && size_code != TSL_ARG_RANGE) {
        tslrt_exclusive_access(object, TSL_HOT->call_site, kind, 1ull << size_code);
        return true;
    }
    tslrt_exclusive_close();
    if (kind != TSL_EV_END && kind != TSL_EV_EXIT)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "an atomic section calls something that is a step of its own: others may run "
                     "there");
    return false;
}

// ---------------------------------------------------------------- for programs

static void begin(uint32_t site) {
    tslrt_init();
    if (TSLRT_BROKEN(SECTION))
        return;
    RUN->uneven = true;
    if (SELF->exclusive++ || TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    begin_step(site);
    tslrt_recording_update();
}

static void end(void) {
    if (!SELF->exclusive || --SELF->exclusive)
        return;
    tslrt_exclusive_close();
    tslrt_recording_update();
}

API void __VERIFIER_atomic_begin(void) { begin(tslrt_take_site()); }
API void __VERIFIER_atomic_end(void) { end(); }

__attribute__((visibility("default"))) void __teasel_section_begin(uint32_t site) { begin(site); }
__attribute__((visibility("default"))) void __teasel_section_end(uint32_t site) {
    (void)site;
    end();
}
