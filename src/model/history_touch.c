// What does a step touch, and which earlier steps does it depend on for that?
//
// The touches of every cell and object are linked, latest first.  A read of a cell depends on the
// last write; a write depends on the last write and the reads since.  Touches of objects come in
// groups of equal roles (depend_by_role).  So a step finds what it conflicts with by the bytes it
// touches, however long the run is.
#include "model/history_inner.h"
#include "model/state.h"

static inline __attribute__((always_inline)) tsl_object *push_touch(tsl_history *h, uint32_t object,
                                                                    unsigned access, uint8_t mask,
                                                                    uint8_t role, uint32_t state) {
    tsl_object *o = &h->objects.data[object];
    tsl_vec_push(&h->touches, (tsl_touch){.object = object,
                                          .step = (uint32_t)h->steps.len - 1,
                                          .prev = o->last,
                                          .prev_write = o->last_write,
                                          .state = state,
                                          .access = (uint16_t)access,
                                          .mask = mask,
                                          .role = role});
    o->last = (uint32_t)h->touches.len - 1;
    return o;
}

static inline void push_cell_touch(tsl_history *h, uint32_t cell, unsigned access, uint8_t mask,
                                   uint8_t role) {
    tsl_object *o = push_touch(h, cell, access, mask, role, 0);
    if (role == TSL_ROLE_WRITE)
        o->last_write = o->last;
}

static void push_object_touch(tsl_history *h, uint32_t object, unsigned access, uint8_t role,
                              uint32_t state) {
    tsl_object *o = push_touch(h, object, access, 0xff, role, state);
    uint32_t prev = h->touches.data[o->last].prev;
    if (prev != TSL_NONE && h->touches.data[prev].role != role)
        o->last_write = prev;
}

static inline void depend_on_write(tsl_history *h, uint32_t object, unsigned access) {
    uint32_t t = h->objects.data[object].last_write;
    if (t != TSL_NONE)
        tsl_history_depend(h, h->touches.data[t].step, access);
}

static void depend_on_all(tsl_history *h, uint32_t object, unsigned access) {
    for (uint32_t t = h->objects.data[object].last; t != TSL_NONE; t = h->touches.data[t].prev) {
        const tsl_touch *touch = &h->touches.data[t];
        bool forget = TSL_BROKEN(READS) && touch->role == TSL_ROLE_READ;
        if (!forget)
            tsl_history_depend(h, touch->step, access);
        if (touch->role == TSL_ROLE_WRITE)
            return;
    }
}

static void note_way(tsl_history *h, uint32_t object, unsigned kind) {
    tsl_object *o = &h->objects.data[object];
    if (kind == TSL_EV_CAS)
        o->ways |= TSL_WAY_CAS;
    else if (kind == TSL_EV_READ || kind == TSL_EV_VREAD)
        o->ways |= TSL_WAY_READ;
    h->by_clocks |= o->ways == (TSL_WAY_CAS | TSL_WAY_READ) && !TSL_BROKEN(CAS_READS);
}

// Notes how each cell was accessed before the first compare-and-swap, too.
void tsl_history_note_cas(tsl_history *h) {
    h->has_cas = true;
    for (uint32_t t = 0; t < h->touches.len; t++)
        note_way(h, h->touches.data[t].object, tsl_touch_access(h, t)->kind);
}

// Broken on purpose, to test the oracle: the step releases nothing.
static bool forgets(const tsl_history *h, uint32_t step) {
    return TSL_BROKEN(RELEASE_EDGE) && h->steps.data[step].kind == TSL_EV_UNLOCK;
}

// The last step depends on touch t and on those of the same role right before it.
static void depend_on_group(tsl_history *h, uint32_t t, unsigned access) {
    unsigned role = h->touches.data[t].role;
    for (; t != TSL_NONE && h->touches.data[t].role == role; t = h->touches.data[t].prev) {
        if (!forgets(h, h->touches.data[t].step))
            tsl_history_depend(h, h->touches.data[t].step, access);
        if (role == TSL_ROLE_WRITE || h->deps.len - h->deps_from + 1 >= h->slots.len)
            return;
    }
}

// Touches of an object come in groups of equal roles.  Each touch of a group happens after all of
// the group before it, so only the last group that conflicts is looked at.  Writes conflict with
// each other, so of writes only the last one is.
static inline void depend_by_role(tsl_history *h, uint32_t object, uint8_t role, unsigned access) {
    uint32_t t = h->objects.data[object].last;
    if (t == TSL_NONE)
        return;
    const tsl_touch *touch = &h->touches.data[t];
    if (touch->role == TSL_ROLE_WRITE) {
        if (!forgets(h, touch->step))
            tsl_history_depend(h, touch->step, access);
        return;
    }
    if (!tsl_roles_conflict(touch->role, role))
        t = tsl_touch_other(h, t);
    if (t != TSL_NONE)
        depend_on_group(h, t, access);
}

static void depend_on_bytes(tsl_history *h, uint32_t object, const tsl_access *by,
                            unsigned access) {
    uint32_t last = h->objects.data[object].last;
    if (last != TSL_NONE && tsl_overlap(tsl_touch_access(h, last), by))
        depend_by_role(h, object, TSL_ROLE_WRITE, access);
}

// The last step writes to eight bytes in which objects begin or into which they reach.
static void depend_on_inside(tsl_history *h, uint32_t first, const tsl_access *by,
                             unsigned access) {
    uint32_t inside = h->objects.data[first].first_inside;
    for (; inside != TSL_NONE; inside = h->objects.data[inside].next)
        depend_on_bytes(h, inside, by, access);
    for (uint32_t r = h->objects.data[first].reaches; r; r = h->reaches.data[r - 1].next)
        depend_on_bytes(h, h->reaches.data[r - 1].other, by, access);
}

static inline __attribute__((always_inline)) void
touch_cell(tsl_history *h, uint32_t cell, uint8_t mask, uint8_t role, unsigned access) {
    if (role == TSL_ROLE_READ)
        depend_on_write(h, cell, access);
    else
        depend_on_all(h, cell, access);
    if (h->has_cas)
        note_way(h, cell, tsl_vec_last(&h->accesses).kind);
    push_cell_touch(h, cell, access, mask, role);
}

// Splits a cell: it keeps the bytes `part`, and a new cell gets the others and the same touches.
static void split(tsl_history *h, uint32_t first, uint32_t cell, uint8_t part) {
    tsl_object rest = h->objects.data[cell];
    rest.mask = (uint8_t)(rest.mask & ~part);
    rest.memory = first;
    rest.first_inside = TSL_NONE;
    rest.is_first = false;
    rest.reaches = 0;
    h->objects.data[cell].mask = part;
    h->has_split = true;
    h->objects.data[cell].next = (uint32_t)h->objects.len;
    tsl_vec_push(&h->objects, rest);
}

static uint32_t new_cell(tsl_history *h, uint32_t first, uint8_t mask) {
    tsl_object cell = {.key = h->objects.data[first].key,
                       .last = TSL_NONE,
                       .last_write = TSL_NONE,
                       .memory = first,
                       .first_inside = TSL_NONE,
                       .next = h->objects.data[first].next,
                       .mask = mask};
    h->objects.data[first].next = (uint32_t)h->objects.len;
    tsl_vec_push(&h->objects, cell);
    return (uint32_t)h->objects.len - 1;
}

static __attribute__((noinline)) void touch_cells(tsl_history *h, uint32_t first, uint8_t mask,
                                                  uint8_t role, unsigned access) {
    uint8_t left = mask;
    for (uint32_t c = first; c != TSL_NONE && left; c = h->objects.data[c].next) {
        uint8_t common = h->objects.data[c].mask & left;
        if (!common)
            continue;
        if (common != h->objects.data[c].mask)
            split(h, first, c, common);
        touch_cell(h, c, common, role, access);
        left = (uint8_t)(left & ~common);
    }
    if (!left)
        return;
    if (!h->objects.data[first].mask)
        h->objects.data[first].mask = left;
    else
        first = new_cell(h, first, left);
    touch_cell(h, first, left, role, access);
}

static bool has_bytes(const tsl_history *h, uint32_t object, const tsl_access *a) {
    const tsl_object *o = &h->objects.data[object];
    return a->addr < (o->key >> 1) + o->width && o->key >> 1 < a->addr + a->size;
}

// Does the access touch bytes of an object that begins in the eight bytes or reaches into them?
static bool is_inside(const tsl_history *h, uint32_t first, const tsl_access *a) {
    const tsl_object *o = &h->objects.data[first];
    for (uint32_t inside = o->first_inside; inside != TSL_NONE;
         inside = h->objects.data[inside].next)
        if (has_bytes(h, inside, a))
            return true;
    for (uint32_t r = o->reaches; r; r = h->reaches.data[r - 1].next)
        if (has_bytes(h, h->reaches.data[r - 1].other, a))
            return true;
    return false;
}

// The last step touches the bytes `mask` of eight bytes, whose first cell is `first`.
static inline __attribute__((always_inline)) void
touch_eight(tsl_history *h, uint32_t first, uint8_t mask, const tsl_access *a, unsigned access) {
    const tsl_object *o = &h->objects.data[first];
    bool any_inside = o->first_inside != TSL_NONE || o->reaches;
    if (a->role != TSL_ROLE_READ && any_inside)
        depend_on_inside(h, first, a, access);
    else if (any_inside && is_inside(h, first, a))
        h->inside = (uint32_t)h->steps.len - 1;
    uint32_t c = first;
    while (h->objects.data[c].mask != mask) {
        c = h->objects.data[c].next;
        if (c == TSL_NONE) { // no cell has exactly these bytes yet
            touch_cells(h, first, mask, a->role, access);
            return;
        }
    }
    touch_cell(h, c, mask, a->role, access);
}

static uint8_t mask_of(uint64_t from, uint64_t to, uint64_t eight) {
    if (TSL_BROKEN(BYTES))
        return 0xff;
    uint64_t low = from > eight ? from - eight : 0;
    uint64_t high = to < eight + 8 ? to - eight : 8;
    return (uint8_t)((0xffu >> (8 - (high - low))) << low);
}

static void touch_page(tsl_history *h, uint64_t page, const tsl_access *a, unsigned access) {
    const uint64_t *head = tsl_map_get(&h->pages, page);
    uint64_t first = a->addr >> 3, last = (a->addr + a->size - 1) >> 3;
    for (uint32_t i = head ? (uint32_t)*head - 1 : TSL_NONE; i != TSL_NONE;) {
        uint64_t eight = h->objects.data[i].key >> 1;
        uint32_t next = h->objects.data[i].memory;
        if (eight >= first && eight <= last)
            touch_eight(h, i, mask_of(a->addr, a->addr + a->size, eight << 3), a, access);
        i = next;
    }
}

// A free touches all cells of its block that were touched before.  It also touches the first bytes
// of the block, so that a later use of other bytes finds the free: the runtime reports such a use
// as an access of the first byte, too.
static void touch_freed(tsl_history *h, const tsl_access *a, unsigned access) {
    tsl_object_at(h, tsl_memory_key(a->addr));
    tsl_vec_push(&h->frees, (uint32_t)h->steps.len - 1);
    h->has_rare = true;
    uint64_t first = tsl_memory_key(a->addr) >> TSL_PAGE_SHIFT;
    uint64_t last = tsl_memory_key(a->addr + a->size - 1) >> TSL_PAGE_SHIFT;
    if (last - first < h->pages.len) {
        for (uint64_t page = first; page <= last; page++)
            touch_page(h, page, a, access);
        return;
    }
    for (uint32_t i = 0; i < h->objects.len; i++) {
        uint64_t key = h->objects.data[i].key;
        if (h->objects.data[i].is_first && key >> 1 >= a->addr >> 3 &&
            key >> 1 <= (a->addr + a->size - 1) >> 3)
            touch_eight(h, i, mask_of(a->addr, a->addr + a->size, key >> 1 << 3), a, access);
    }
}

void tsl_history_touch_memory(tsl_history *h, const tsl_access *a, unsigned access) {
    uint64_t end = a->addr + a->size;
    if (a->size == 0)
        return;
    if (a->kind == TSL_EV_FREE) {
        touch_freed(h, a, access);
        return;
    }
    for (uint64_t eight = a->addr & ~7ull; eight < end; eight += 8)
        touch_eight(h, tsl_object_at(h, tsl_memory_key(eight)), mask_of(a->addr, end, eight), a,
                    access);
}

// A barrier: an arrival depends on the arrivals of the round before, a thread that leaves on those
// of its own round.
static void depend_on_round(tsl_history *h, uint32_t object, uint32_t round, unsigned access) {
    for (uint32_t t = h->objects.data[object].last; t != TSL_NONE;) {
        const tsl_touch *touch = &h->touches.data[t];
        if (touch->role == TSL_ROLE_WRITE) {
            tsl_history_depend(h, touch->step, access);
            return;
        }
        bool arrival = h->steps.data[touch->step].kind == TSL_EV_BARRIER_ARRIVE;
        if (arrival && touch->state >> 1 == round)
            tsl_history_depend(h, touch->step, access);
        if (arrival && touch->state >> 1 < round)
            return;
        t = touch->prev;
    }
}

static uint32_t own_round(const tsl_history *h, uint32_t object) {
    unsigned slot = tsl_vec_last(&h->steps).slot;
    uint32_t t = h->objects.data[object].last;
    while (t != TSL_NONE && h->steps.data[h->touches.data[t].step].slot != slot)
        t = h->touches.data[t].prev;
    return t == TSL_NONE ? 0 : h->touches.data[t].state >> 1;
}

static void depend_on_cells(tsl_history *h, uint32_t first, uint8_t mask, unsigned access) {
    for (uint32_t c = first; c != TSL_NONE; c = h->objects.data[c].next)
        if (h->objects.data[c].mask & mask) {
            depend_on_write(h, c, access);
            if (h->objects.data[c].last != h->objects.data[c].last_write) // it was read since
                h->inside = (uint32_t)h->steps.len - 1;
        }
}

// A step on an object depends on the last writes to the object's bytes.
static void depend_on_memory(tsl_history *h, uint32_t object, const tsl_access *a,
                             unsigned access) {
    const tsl_object *o = &h->objects.data[object];
    uint64_t end = a->addr + a->size;
    depend_on_cells(h, o->memory, mask_of(a->addr, end, a->addr & ~7ull), access);
    for (uint32_t r = o->reaches; r; r = h->reaches.data[r - 1].next) {
        uint32_t memory = h->reaches.data[r - 1].other;
        uint64_t eight = h->objects.data[memory].key >> 1 << 3;
        if (eight < end)
            depend_on_cells(h, memory, mask_of(a->addr, end, eight), access);
    }
}

void tsl_history_touch_object(tsl_history *h, const tsl_access *a, unsigned access) {
    uint32_t object = tsl_object_sync(h, a->addr, a->size);
    uint32_t state = tsl_touch_state(h, h->objects.data[object].last);
    uint32_t after = tsl_state_after(state, a, tsl_vec_last(&h->steps).thread);
    depend_on_memory(h, object, a, access);
    if (a->kind == TSL_EV_BARRIER_ARRIVE && TSL_BROKEN(ROUNDS))
        ;
    else if (a->kind == TSL_EV_BARRIER_ARRIVE)
        depend_on_round(h, object, (after >> 1) - 1, access);
    else if (a->kind == TSL_EV_BARRIER_LEAVE)
        depend_on_round(h, object, own_round(h, object), access);
    else
        depend_by_role(h, object, a->role, access);
    push_object_touch(h, object, access, a->role, after);
}

static void forget_in_cells(tsl_history *h, const tsl_touch *touch) {
    const tsl_object *o = &h->objects.data[touch->object];
    uint32_t c = o->is_first ? touch->object : o->memory;
    for (; c != TSL_NONE; c = h->objects.data[c].next)
        if (h->objects.data[c].mask & touch->mask) {
            h->objects.data[c].last = touch->prev;
            h->objects.data[c].last_write = touch->prev_write;
        }
}

void tsl_history_forget_touches(tsl_history *h, uint32_t n) {
    const tsl_touch *touches = h->touches.data;
    tsl_object *objects = h->objects.data;
    for (uint32_t t = (uint32_t)h->touches.len; t-- > n;) {
        tsl_object *o = &objects[touches[t].object];
        o->last = touches[t].prev;
        o->last_write = touches[t].prev_write;
    }
    for (uint32_t t = (uint32_t)h->touches.len; h->has_split && t-- > n;)
        if (objects[touches[t].object].mask != touches[t].mask) // the cell was split since
            forget_in_cells(h, &touches[t]);
    h->touches.len = n;
}
