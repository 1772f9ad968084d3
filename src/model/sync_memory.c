// How do accesses of memory and fences synchronise by the rules of C11, and which accesses
// conflict?
#include "model/sync_inner.h"

// ---------------------------------------------------------------- orders

static bool releases(unsigned order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST ||
           (TSL_BROKEN(RELAXED_RELEASES) && order == __ATOMIC_RELAXED);
}

static bool acquires(unsigned order) {
    return order == __ATOMIC_ACQUIRE || (order == __ATOMIC_CONSUME && !TSL_BROKEN(CONSUME)) ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST ||
           (TSL_BROKEN(RELAXED_ACQUIRES) && order == __ATOMIC_RELAXED);
}

static bool is_plain_write(unsigned kind) {
    return kind == TSL_EV_WRITE || kind == TSL_EV_VWRITE || kind == TSL_EV_FREE;
}

// The way in which an access matters to memory, or -1 if it does not.  An atomic access that is not
// the step's own is one of the runtime (a futex that compares its word, a loop that waits), or only
// tells how the step may come out.
static int way_of(const tsl_step *step, const tsl_access *a) {
    if (a->space != TSL_SPACE_MEMORY) // tsl_sync_objects looks at opaque steps
        return -1;
    if (tsl_is_plain(a->kind))
        return is_plain_write(a->kind) ? PLAIN_WRITE : PLAIN_READ;
    if (a->kind != step->kind && step->kind != TSL_EV_SECTION)
        return -1;
    bool reads = a->kind == TSL_EV_AREAD || (a->kind == TSL_EV_CAS && !(a->res & 1));
    return reads ? ATOMIC_READ : ATOMIC_WRITE;
}

static bool conflict(int a, int b) {
    bool both_atomic = a >= ATOMIC_READ && b >= ATOMIC_READ;
    bool mixed = (a >= ATOMIC_READ) != (b >= ATOMIC_READ);
    bool writes = a == PLAIN_WRITE || a == ATOMIC_WRITE || b == PLAIN_WRITE || b == ATOMIC_WRITE;
    return a <= ATOMIC_WRITE && b <= ATOMIC_WRITE && writes && !both_atomic &&
           !(mixed && TSL_BROKEN(MIXED));
}

// ---------------------------------------------------------------- eight bytes

// The load of an atomic access.  A read-modify-write loads, too, before it stores.
static void load(const tsl_sync_at *x, tsl_sync_place *p) {
    tsl_sync *y = x->y;
    if (x->kind == TSL_EV_AWRITE)
        return;
    for (uint32_t e = p->first; e != TSL_NONE; e = y->entries.data[e].next) {
        tsl_sync_entry entry = y->entries.data[e];
        if (entry.as != HEADS || !(entry.mask & x->mask) || entry.slot == x->slot)
            continue;
        if (acquires(x->order))
            tsl_sync_follow(x, entry.step);
        else
            tsl_sync_add_entry(y, &y->threads.data[x->slot].read, entry);
    }
}

void tsl_sync_collect_at(const tsl_sync_at *x, tsl_sync_place *p) {
    for (uint32_t e = p->first; e != TSL_NONE; e = x->y->entries.data[e].next) {
        const tsl_sync_entry *entry = &x->y->entries.data[e];
        if ((entry->mask & x->mask) && entry->slot != x->slot && conflict(entry->as, x->way))
            tsl_vec_push(&x->y->candidates, entry->step);
    }
}

// Does the entry no longer matter for these bytes after the current access?  A plain store
// conflicts with everything that conflicts with the entry, and an access of the same thread and way
// happens after the entry's step.
static bool is_covered(const tsl_sync_at *x, const tsl_sync_entry *entry) {
    if (entry->as == HEADS)
        return x->way == PLAIN_WRITE;
    bool same = entry->slot == x->slot && entry->as == x->way;
    return same || (x->way == PLAIN_WRITE && x->y->by_races);
}

// Ends the release sequences that a store does not continue.  Returns the bytes for which the
// thread itself still heads a sequence, with a step that is not earlier than `handed`.
static uint8_t keep_heads(const tsl_sync_at *x, tsl_sync_place *p, bool rmw, uint32_t handed) {
    tsl_sync *y = x->y;
    uint8_t kept = 0;
    for (uint32_t *link = &p->first; *link != TSL_NONE;) {
        tsl_sync_entry *entry = &y->entries.data[*link];
        bool own = entry->slot == x->slot;
        bool later = own && (handed == TSL_NONE || entry->step >= handed);
        if (entry->as == HEADS && (entry->mask & x->mask)) {
            if (later && !TSL_BROKEN(OWN_STORES))
                kept |= entry->mask & x->mask;
            else if (own || !rmw || TSL_BROKEN(RMW_CONTINUES))
                entry->mask &= (uint8_t)~x->mask;
        }
        if (entry->mask)
            link = &entry->next;
        else
            tsl_sync_take_out(y, link);
    }
    return kept;
}

static void store(const tsl_sync_at *x, tsl_sync_place *p) {
    tsl_sync *y = x->y;
    bool rmw = x->kind != TSL_EV_AWRITE;
    uint32_t fence = TSL_BROKEN(RELEASE_FENCE) ? TSL_NONE : y->threads.data[x->slot].release;
    uint32_t handed = releases(x->order) ? x->s : fence;
    uint8_t left = (uint8_t)(x->mask & ~keep_heads(x, p, rmw, handed));
    if (handed != TSL_NONE && left)
        tsl_sync_note(x, p, handed, left, HEADS);
}

void tsl_sync_record_at(const tsl_sync_at *x, tsl_sync_place *p) {
    tsl_sync *y = x->y;
    for (uint32_t *link = &p->first; *link != TSL_NONE;) {
        tsl_sync_entry *entry = &y->entries.data[*link];
        if (is_covered(x, entry))
            entry->mask &= (uint8_t)~x->mask;
        if (entry->mask)
            link = &entry->next;
        else
            tsl_sync_take_out(y, link);
    }
    tsl_sync_note(x, p, x->s, x->mask, (unsigned)x->way);
    if (x->way == ATOMIC_WRITE)
        store(x, p);
}

// ---------------------------------------------------------------- memory

static uint8_t mask_of(const tsl_access *a, uint64_t eight) {
    uint64_t from = a->addr, to = a->addr + a->size, base = eight << 3;
    uint64_t low = from > base ? from - base : 0, high = to < base + 8 ? to - base : 8;
    return (uint8_t)((0xffu >> (8 - (high - low))) << low);
}

// Calls `visit` for each eight bytes of the access that have a place.  With `create` all get a
// place, except for a free, which need not know memory that was never touched.
static void each_place(tsl_sync_at *x, const tsl_access *a, bool create, tsl_sync_visit *visit) {
    tsl_sync *y = x->y;
    uint64_t first = a->addr >> 3, last = (a->addr + a->size - 1) >> 3;
    if (a->size == 0)
        return;
    create = create && a->kind != TSL_EV_FREE;
    if (!create && last - first > y->size) { // then it is cheaper to go through all places
        for (size_t i = 0; i < y->size; i++) {
            tsl_sync_place *p = &y->places[i];
            if (p->run != y->run || (p->key & 1) || p->key >> 1 < first || p->key >> 1 > last)
                continue;
            x->mask = mask_of(a, p->key >> 1);
            visit(x, p);
        }
        return;
    }
    for (uint64_t eight = first; eight <= last; eight++) {
        tsl_sync_place *p = create ? tsl_sync_make(y, eight << 1) : tsl_sync_find(y, eight << 1);
        x->mask = mask_of(a, eight);
        if (p->run == y->run)
            visit(x, p);
    }
}

static void each_access(tsl_sync_at *x, bool create, tsl_sync_visit *visit, bool atomics_only) {
    const tsl_step *step = &x->h->steps.data[x->s];
    uint32_t end = tsl_step_accesses_end(x->h, x->s);
    for (uint32_t i = step->accesses; i < end; i++) {
        const tsl_access *a = &x->h->accesses.data[i];
        x->way = way_of(step, a);
        x->kind = a->kind;
        x->order = a->kind == step->kind ? step->order : __ATOMIC_SEQ_CST;
        if (x->way >= (atomics_only ? ATOMIC_READ : PLAIN_READ))
            each_place(x, a, create, visit);
    }
}

// ---------------------------------------------------------------- fences

void tsl_sync_fence(const tsl_sync_at *x, unsigned order) {
    tsl_sync *y = x->y;
    tsl_sync_thread *t = &y->threads.data[x->slot];
    if (acquires(order)) {
        while (t->read != TSL_NONE) {
            if (!TSL_BROKEN(ACQUIRE_FENCE))
                tsl_sync_follow(x, y->entries.data[t->read].step);
            tsl_sync_take_out(y, &t->read);
        }
    }
    if (releases(order))
        t->release = x->s;
}

// Keeps only the latest step of each thread among what relaxed loads have read, so that the list
// stays short however many loads there are.
static void shorten(tsl_sync *y, tsl_sync_thread *t) {
    for (uint32_t e = t->read; e != TSL_NONE; e = y->entries.data[e].next)
        for (uint32_t *link = &y->entries.data[e].next; *link != TSL_NONE;) {
            tsl_sync_entry *entry = &y->entries.data[e], *other = &y->entries.data[*link];
            if (entry->slot != other->slot) {
                link = &other->next;
                continue;
            }
            entry->step = entry->step > other->step ? entry->step : other->step;
            tsl_sync_take_out(y, link);
        }
}

void tsl_sync_load(tsl_sync_at *x) {
    each_access(x, false, load, true);
    shorten(x->y, &x->y->threads.data[x->slot]);
}

void tsl_sync_collect(tsl_sync_at *x) { each_access(x, false, tsl_sync_collect_at, false); }
void tsl_sync_record(tsl_sync_at *x) { each_access(x, true, tsl_sync_record_at, false); }

tsl_sync_place *tsl_sync_only_place(tsl_sync_at *x) {
    const tsl_step *step = &x->h->steps.data[x->s];
    const tsl_access *a = &x->h->accesses.data[step->accesses];
    bool simple = tsl_is_memory(step->kind) && step->kind != TSL_EV_FREE &&
                  step->woken_by == TSL_NONE && !step->unknown &&
                  tsl_step_accesses_end(x->h, x->s) == step->accesses + 1 && a->size &&
                  a->addr >> 3 == (a->addr + a->size - 1) >> 3;
    if (!simple)
        return NULL;
    x->way = way_of(step, a);
    x->kind = step->kind;
    x->order = step->order;
    x->mask = mask_of(a, a->addr >> 3);
    return tsl_sync_make(x->y, a->addr >> 3 << 1);
}

void tsl_sync_load_at(const tsl_sync_at *x, tsl_sync_place *p) {
    load(x, p);
    if (!acquires(x->order))
        shorten(x->y, &x->y->threads.data[x->slot]);
}
