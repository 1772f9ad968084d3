// How do steps synchronise other than by memory?
//
// Steps that conflict at an object happen in the order in which they ran.
#include "model/sync_inner.h"

// ---------------------------------------------------------------- objects

// The role of an access of an object by itself; the history may treat the access as a write.
static unsigned role_of(const tsl_access *a) {
    tsl_access exact;
    tsl_access_fill(&exact, a->kind, a->res, a->addr, 1);
    return exact.role;
}

static void follow_role(const tsl_sync_at *x, const tsl_sync_place *p, unsigned role) {
    for (uint32_t e = p->first; e != TSL_NONE; e = x->y->entries.data[e].next) {
        tsl_sync_entry entry = x->y->entries.data[e];
        bool conflicts = entry.as == CHANGED || (entry.as == ADDED && role != TSL_ROLE_ADD) ||
                         (entry.as == LOOKED && role != TSL_ROLE_READ) ||
                         (entry.as == ARRIVED && role == TSL_ROLE_WRITE);
        if (conflicts)
            tsl_sync_follow(x, entry.step);
    }
}

static void note_role(const tsl_sync_at *x, tsl_sync_place *p, unsigned role) {
    tsl_sync *y = x->y;
    uint8_t as = role == TSL_ROLE_WRITE ? CHANGED : role == TSL_ROLE_ADD ? ADDED : LOOKED;
    for (uint32_t *link = &p->first; *link != TSL_NONE;) {
        tsl_sync_entry *entry = &y->entries.data[*link];
        bool covered =
            (as == CHANGED && entry->as != CREATED) || (entry->as == as && entry->slot == x->slot);
        if (covered)
            tsl_sync_take_out(y, link);
        else
            link = &entry->next;
    }
    tsl_sync_note(x, p, x->s, 1, as);
}

// Forgets arrivals of rounds that all threads have left.
static void forget_rounds(const tsl_sync_at *x, tsl_sync_place *p) {
    tsl_sync *y = x->y;
    uint32_t oldest = p->round - 1;
    for (uint32_t e = p->first; e != TSL_NONE; e = y->entries.data[e].next) {
        const tsl_sync_entry *entry = &y->entries.data[e];
        if (entry->as == ARRIVED && entry->mask && entry->round < oldest)
            oldest = entry->round;
    }
    for (uint32_t *link = &p->first; *link != TSL_NONE;)
        if (y->entries.data[*link].as == ARRIVED && y->entries.data[*link].round < oldest)
            tsl_sync_take_out(y, link);
        else
            link = &y->entries.data[*link].next;
}

// Follows all arrivals of a round: the round before for an arrival, its own for a thread that
// leaves.
static void follow_round(const tsl_sync_at *x, const tsl_sync_place *p, uint32_t round) {
    for (uint32_t e = p->first; e != TSL_NONE; e = x->y->entries.data[e].next) {
        tsl_sync_entry entry = x->y->entries.data[e];
        if (entry.as == CHANGED || (entry.as == ARRIVED && entry.round == round))
            tsl_sync_follow(x, entry.step);
    }
}

static void arrive(const tsl_sync_at *x, tsl_sync_place *p, unsigned lacks) {
    if (p->full) {
        p->round++;
        p->full = false;
        forget_rounds(x, p);
    }
    follow_round(x, p, p->round - 1);
    p->full = lacks == 0;
    tsl_sync_note(x, p, x->s, 1, ARRIVED);
}

static void leave(const tsl_sync_at *x, tsl_sync_place *p) {
    uint32_t e = p->first;
    tsl_sync_entry *entries = x->y->entries.data;
    while (e != TSL_NONE &&
           !(entries[e].as == ARRIVED && entries[e].mask && entries[e].slot == x->slot))
        e = entries[e].next;
    if (e == TSL_NONE)
        return;
    entries[e].mask = 0;
    follow_round(x, p, entries[e].round);
    note_role(x, p, TSL_ROLE_ADD);
}

static void touch_object(const tsl_sync_at *x, const tsl_access *a) {
    tsl_sync_place *p = tsl_sync_make(x->y, a->addr << 1 | 1);
    if (a->kind == TSL_EV_BARRIER_ARRIVE) {
        arrive(x, p, a->res);
        return;
    }
    if (a->kind == TSL_EV_BARRIER_LEAVE) {
        leave(x, p);
        return;
    }
    unsigned role = role_of(a);
    follow_role(x, p, role);
    note_role(x, p, role);
    if (a->kind == TSL_EV_CREATE)
        tsl_sync_note(x, p, x->s, 1, CREATED);
    if (a->kind == TSL_EV_BARRIER_INIT) {
        p->round += 2;
        p->full = false;
    }
}

static void follow_creation(const tsl_sync_at *x, uint64_t addr) {
    tsl_sync_place *p = tsl_sync_make(x->y, addr << 1 | 1);
    for (uint32_t e = p->first; e != TSL_NONE; e = x->y->entries.data[e].next)
        if (x->y->entries.data[e].as == CREATED) {
            tsl_sync_follow(x, x->y->entries.data[e].step);
            return;
        }
}

// Opaque steps (inline assembly that may touch anything) and atomic sections synchronise with each
// other.
static void follow_opaque(const tsl_sync_at *x) {
    tsl_sync_follow(x, x->y->opaque);
    x->y->opaque = x->s;
}

bool tsl_sync_objects(const tsl_sync_at *x) {
    const tsl_step *step = &x->h->steps.data[x->s];
    uint32_t end = tsl_step_accesses_end(x->h, x->s);
    bool opaque = step->unknown || step->kind == TSL_EV_SECTION, memory = false;
    tsl_sync_follow(x, step->woken_by);
    for (uint32_t i = step->accesses; i < end; i++) {
        const tsl_access *a = &x->h->accesses.data[i];
        opaque |= a->kind == TSL_EV_ASM;
        memory |= a->space == TSL_SPACE_MEMORY;
        if (a->space == TSL_SPACE_OBJECT)
            touch_object(x, a);
    }
    if (step->kind == TSL_EV_START)
        follow_creation(x, step->key);
    if (opaque)
        follow_opaque(x);
    return memory;
}
