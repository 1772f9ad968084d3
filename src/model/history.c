#include "model/history.h"

#include <string.h>

#include "abi/sabotage.h"
#include "base/deadline.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/state.h"

enum {
    FIRST_INDEX = 1 << 10,
    PAGE_SHIFT = 10 // of a cell's key: 4096 bytes
};

void tsl_history_init(tsl_history *h) {
    *h = (tsl_history){.index_size = FIRST_INDEX};
    h->index = tsl_alloc(h->index_size * sizeof *h->index);
    h->slot_of = tsl_alloc(TSL_MAX_THREADS * sizeof *h->slot_of);
    h->dep_of = tsl_alloc(TSL_MAX_THREADS * sizeof *h->dep_of);
    tsl_vec_push(&h->clocks, 0); // the clock that knows nothing
}

void tsl_history_drop(tsl_history *h) {
    tsl_vec_drop(&h->steps);
    tsl_vec_drop(&h->accesses);
    tsl_vec_drop(&h->touches);
    tsl_vec_drop(&h->wakes);
    tsl_vec_drop(&h->clocks);
    for (size_t i = 0; i < h->by_slot.len; i++)
        tsl_vec_drop(&h->by_slot.data[i]);
    tsl_vec_drop(&h->by_slot);
    tsl_vec_drop(&h->slots);
    tsl_vec_drop(&h->objects);
    tsl_vec_drop(&h->reaches);
    tsl_vec_drop(&h->deps);
    tsl_vec_drop(&h->opaque);
    tsl_map_drop(&h->pages);
    tsl_free(h->index);
    tsl_free(h->slot_of);
    tsl_free(h->dep_of);
}

// One wide multiplication, its halves folded together.
static uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 product =
        (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xe7037ed1a0b428dbull);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// ---------------------------------------------------------------- objects

static size_t place(const tsl_history *h, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (h->index_size - 1);
    while (h->index[at] && h->objects.data[h->index[at] - 1].key != key)
        at = (at + 1) & (h->index_size - 1);
    return at;
}

// Of the cells of eight bytes, only the first one is.
static bool is_indexed(const tsl_object *o) { return o->key & 1 || o->is_first; }

static void grow_index(tsl_history *h) {
    tsl_free(h->index);
    h->index_size *= 2;
    h->index = tsl_alloc(h->index_size * sizeof *h->index);
    for (size_t i = 0; i < h->objects.len; i++)
        if (is_indexed(&h->objects.data[i]))
            h->index[place(h, h->objects.data[i].key)] = (uint32_t)i + 1;
}

static uint32_t find_object(const tsl_history *h, uint64_t key) {
    return h->index[place(h, key)] - 1; // TSL_NONE if not there
}

enum { LARGEST_OBJECT = 64 };

static bool is_reached(const tsl_history *h, uint64_t eight) {
    return h->reached[eight / 64 % (TSL_REACHED_BITS / 64)] >> eight % 64 & 1;
}

static void add_reach(tsl_history *h, uint32_t of, uint32_t other) {
    tsl_vec_push(&h->reaches, (tsl_extent){other, h->objects.data[of].reaches});
    TSL_BUG_ON(h->reaches.len >= 1u << 23, "%zu links of objects", h->reaches.len);
    h->objects.data[of].reaches = (uint32_t)h->reaches.len & 0x7fffffu;
}

static void link_reach(tsl_history *h, uint32_t object, uint32_t memory) {
    add_reach(h, object, memory);
    add_reach(h, memory, object);
}

// Eight bytes that are touched for the first time: objects that begin before may reach into them.
static void link_objects(tsl_history *h, uint32_t memory) {
    uint64_t eight = h->objects.data[memory].key >> 1;
    for (uint64_t e = eight - LARGEST_OBJECT / 8; e < eight; e++) {
        uint32_t home = find_object(h, e << 1);
        uint32_t inside = home == TSL_NONE ? TSL_NONE : h->objects.data[home].first_inside;
        for (; inside != TSL_NONE; inside = h->objects.data[inside].next)
            if ((h->objects.data[inside].key >> 1) + h->objects.data[inside].width > eight << 3)
                link_reach(h, inside, memory);
    }
}

static __attribute__((noinline)) uint32_t new_object(tsl_history *h, uint64_t key, size_t at) {
    h->index[at] = (uint32_t)h->objects.len + 1;
    tsl_vec_push(&h->objects, (tsl_object){.key = key,
                                           .last = TSL_NONE,
                                           .last_write = TSL_NONE,
                                           .memory = TSL_NONE,
                                           .first_inside = TSL_NONE,
                                           .next = TSL_NONE,
                                           .mask = key & 1 ? 0xff : 0,
                                           .is_first = !(key & 1)});
    uint32_t object = (uint32_t)h->objects.len - 1;
    if (!(key & 1)) { // cells of one page are linked, so that freeing a block finds them
        uint64_t *head = tsl_map_put(&h->pages, key >> PAGE_SHIFT, NULL);
        h->objects.data[object].memory = (uint32_t)*head - 1;
        *head = object + 1u;
    }
    if (h->objects.len * 2 > h->index_size)
        grow_index(h);
    if (!(key & 1) && is_reached(h, key >> 1))
        link_objects(h, object);
    return object;
}

static inline uint32_t object_of(tsl_history *h, uint64_t key) {
    size_t at = place(h, key);
    return h->index[at] ? h->index[at] - 1 : new_object(h, key, at);
}

static uint64_t memory_key(uint64_t addr) { return addr >> 3 << 1; }

// The object is as large as that: of memory it reaches into, what was touched before is linked now,
// the rest when it is touched.
static void widen(tsl_history *h, uint32_t object, uint64_t addr, uint64_t size) {
    uint64_t from = (addr + h->objects.data[object].width - 1) >> 3, to = (addr + size - 1) >> 3;
    h->objects.data[object].width = (uint32_t)size;
    for (uint64_t e = from + 1; e <= to; e++) {
        h->reached[e / 64 % (TSL_REACHED_BITS / 64)] |= 1ull << e % 64;
        uint32_t memory = find_object(h, e << 1);
        if (memory != TSL_NONE)
            link_reach(h, object, memory);
    }
}

// An object lives in memory, which can be overwritten or freed.
static uint32_t sync_object(tsl_history *h, uint64_t addr, uint64_t size) {
    uint32_t object = object_of(h, addr << 1 | 1);
    if (h->objects.data[object].memory == TSL_NONE) {
        uint32_t memory = object_of(h, memory_key(addr));
        h->objects.data[object].memory = memory;
        h->objects.data[object].width = 1;
        h->objects.data[object].next = h->objects.data[memory].first_inside;
        h->objects.data[memory].first_inside = object;
    }
    if (size > h->objects.data[object].width)
        widen(h, object, addr, size);
    return object;
}

// ---------------------------------------------------------------- touches

// Of several steps of one thread only the latest counts: the others happen before it.  So a step
// has at most one dependence for each thread and access, however often that thread looked.
static inline void depend(tsl_history *h, uint32_t step, unsigned access) {
    unsigned slot = h->steps.data[step].slot;
    if (slot == tsl_vec_last(&h->steps).slot)
        return;
    uint32_t at = h->dep_of[slot];
    if (h->deps.len > h->deps_from && at >= h->deps_from && at < h->deps.len &&
        h->deps.data[at].slot == slot) {
        if (h->deps.data[at].step < step)
            h->deps.data[at].step = step;
        return;
    }
    h->dep_of[slot] = (uint32_t)h->deps.len;
    tsl_vec_push(&h->deps, (tsl_dep){step, (uint16_t)access, (uint16_t)slot});
}

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
        depend(h, h->touches.data[t].step, access);
}

static void depend_on_all(tsl_history *h, uint32_t object, unsigned access) {
    for (uint32_t t = h->objects.data[object].last; t != TSL_NONE; t = h->touches.data[t].prev) {
        const tsl_touch *touch = &h->touches.data[t];
        bool forget = TSL_BROKEN(READS) && touch->role == TSL_ROLE_READ;
        if (!forget)
            depend(h, touch->step, access);
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

// The first one: what was done before it counts, too.
static void note_cas(tsl_history *h) {
    h->has_cas = true;
    for (size_t t = 0; t < h->touches.len; t++) {
        const tsl_touch *touch = &h->touches.data[t];
        uint32_t access = h->steps.data[touch->step].accesses + touch->access;
        note_way(h, touch->object, h->accesses.data[access].kind);
    }
}

static bool forgets(const tsl_history *h, uint32_t step) {
    return TSL_BROKEN(RELEASE_EDGE) && h->steps.data[step].kind == TSL_EV_UNLOCK;
}

// Touch t and those of the same role right before it.
static void depend_on_run(tsl_history *h, uint32_t t, unsigned access) {
    unsigned run = h->touches.data[t].role;
    for (; t != TSL_NONE && h->touches.data[t].role == run; t = h->touches.data[t].prev) {
        if (!forgets(h, h->touches.data[t].step))
            depend(h, h->touches.data[t].step, access);
        if (run == TSL_ROLE_WRITE || h->deps.len - h->deps_from + 1 >= h->slots.len)
            return;
    }
}

// Touches of an object come in runs of equal roles.  Each of a run happens after all of the run
// before it, so only the last run that conflicts is looked at; of writes, only the last one.
static inline void depend_by_role(tsl_history *h, uint32_t object, uint8_t role, unsigned access) {
    uint32_t t = h->objects.data[object].last;
    if (t == TSL_NONE)
        return;
    const tsl_touch *touch = &h->touches.data[t];
    if (touch->role == TSL_ROLE_WRITE) {
        if (!forgets(h, touch->step))
            depend(h, touch->step, access);
        return;
    }
    if (!tsl_roles_conflict(touch->role, role))
        t = tsl_touch_other(h, t);
    if (t != TSL_NONE)
        depend_on_run(h, t, access);
}

static const tsl_access *access_of(const tsl_history *h, uint32_t t) {
    const tsl_touch *touch = &h->touches.data[t];
    return &h->accesses.data[h->steps.data[touch->step].accesses + touch->access];
}

static void depend_on_bytes(tsl_history *h, uint32_t object, const tsl_access *by,
                            unsigned access) {
    uint32_t last = h->objects.data[object].last;
    if (last != TSL_NONE && tsl_overlap(access_of(h, last), by))
        depend_by_role(h, object, TSL_ROLE_WRITE, access);
}

// Eight bytes are written that objects begin in or reach into.
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

// The rest of a cell becomes one of its own, with the same past.
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

// `first`: the first cell of the eight bytes.
static void touch_eight(tsl_history *h, uint32_t first, uint8_t mask, const tsl_access *a,
                        unsigned access) {
    const tsl_object *o = &h->objects.data[first];
    bool any_inside = o->first_inside != TSL_NONE || o->reaches;
    if (a->role != TSL_ROLE_READ && any_inside)
        depend_on_inside(h, first, a, access);
    uint32_t c = first;
    while (h->objects.data[c].mask != mask) {
        c = h->objects.data[c].next;
        if (c == TSL_NONE) { // nobody has touched just these bytes yet
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

// A freed block is looked up where it was touched; the rest of it nobody knows.
static void touch_freed(tsl_history *h, const tsl_access *a, unsigned access) {
    uint64_t first = memory_key(a->addr) >> PAGE_SHIFT;
    uint64_t last = memory_key(a->addr + a->size - 1) >> PAGE_SHIFT;
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

static void touch_memory(tsl_history *h, const tsl_access *a, unsigned access) {
    uint64_t end = a->addr + a->size;
    if (a->size == 0)
        return;
    if (a->kind == TSL_EV_FREE) {
        touch_freed(h, a, access);
        return;
    }
    for (uint64_t eight = a->addr & ~7ull; eight < end; eight += 8)
        touch_eight(h, object_of(h, memory_key(eight)), mask_of(a->addr, end, eight), a, access);
}

// Arrivals depend on the round before; leaving, on the arrivals of its own round.
static void depend_on_round(tsl_history *h, uint32_t object, uint32_t round, unsigned access) {
    for (uint32_t t = h->objects.data[object].last; t != TSL_NONE;) {
        const tsl_touch *touch = &h->touches.data[t];
        if (touch->role == TSL_ROLE_WRITE) {
            depend(h, touch->step, access);
            return;
        }
        bool arrival = h->steps.data[touch->step].kind == TSL_EV_BARRIER_ARRIVE;
        if (arrival && touch->state >> 1 == round)
            depend(h, touch->step, access);
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
        if (h->objects.data[c].mask & mask)
            depend_on_write(h, c, access);
}

// The last writes of an object's bytes.
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

static void touch_object(tsl_history *h, const tsl_access *a, unsigned access) {
    uint32_t object = sync_object(h, a->addr, a->size);
    uint32_t last = h->objects.data[object].last;
    uint32_t state = last == TSL_NONE ? 0 : h->touches.data[last].state;
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

// ---------------------------------------------------------------- clocks

// A clock of its own for the last step, as wide as there are threads.
static void own_clock(tsl_history *h, tsl_step *step) {
    uint32_t width = (uint32_t)h->slots.len, from = step->clock;
    uint32_t at = (uint32_t)h->clocks.len;
    tsl_vec_reserve(&h->clocks, h->clocks.len + 1 + width);
    uint32_t *clock = &h->clocks.data[at];
    uint32_t known = h->clocks.data[from];
    clock[0] = width;
    memcpy(clock + 1, &h->clocks.data[from + 1], known * sizeof *clock);
    memset(clock + 1 + known, 0, (width - known) * sizeof *clock);
    h->clocks.len += 1 + width;
    step->clock = at;
}

static void join(tsl_history *h, uint32_t with, bool *owned) {
    tsl_step *step = &tsl_vec_last(&h->steps);
    const tsl_step *other = &h->steps.data[with];
    if (tsl_history_knows(h, (uint32_t)h->steps.len - 1, other->slot) >= other->index)
        return;
    if (!*owned)
        own_clock(h, step);
    *owned = true;
    uint32_t *restrict mine = h->clocks.data + step->clock + 1;
    const uint32_t *restrict its = h->clocks.data + other->clock + 1;
    for (uint32_t i = 0, n = its[-1]; i < n; i++)
        mine[i] = mine[i] > its[i] ? mine[i] : its[i];
    mine[other->slot] = other->index;
}

// ---------------------------------------------------------------- hash

// Of a result, what its past and the branches behind it do not tell: not the order of steps that
// commute, nor marks of values, which are others for other inputs, nor whether a
// compare-and-swap stored if inputs decide it.
static uint16_t told_by(unsigned kind, size_t naccesses) {
    switch (kind) {
    case TSL_EV_BARRIER_ARRIVE:
    case TSL_EV_SEM_POST:
    case TSL_EV_WRITE:
    case TSL_EV_VWRITE:
    case TSL_EV_AWRITE:
    case TSL_EV_RMW:
        return 0;
    case TSL_EV_CAS:
        return naccesses == 1;
    default:
        return UINT16_MAX;
    }
}

static uint64_t label(const tsl_step *step, const tsl_access *accesses, size_t n) {
    uint16_t told = told_by(step->kind, n);
    uint64_t hash = mix(step->kind | (uint64_t)step->thread << 8 | (uint64_t)step->choice << 24 |
                            (uint64_t)step->nchoices << 40,
                        step->res & told);
    for (size_t i = 0; i < n; i++) {
        const tsl_access *a = &accesses[i];
        uint64_t rest = a->size << 16 | (a->res & told);
        hash = mix(hash + rest * 0x9fb21c651e98df25ull, a->addr << 8 | a->kind);
    }
    return hash;
}

static uint64_t hash_of(uint64_t label, uint64_t past, uint64_t others) {
    return mix(mix(label, past), others);
}

// Where a thread ends and is joined says nothing: that it ends does, and its steps before.  So
// these can be left out when they come last (tsl_step_decides).  Those few that conflict
// with an end for another reason than a result of theirs take its place into account.
static uint64_t place_of(const tsl_history *h, const tsl_slot *slot) {
    return slot->last == TSL_NONE ? 0 : mix(slot->thread, h->steps.data[slot->last].index);
}

static uint64_t places(const tsl_history *h) {
    uint64_t sum = 0;
    for (size_t i = 0; i < h->slots.len; i++)
        sum += place_of(h, &h->slots.data[i]);
    return sum;
}

// The sum over the last steps of all threads.
uint64_t tsl_history_hash(const tsl_history *h) { return h->sum; }

uint64_t tsl_history_place(const tsl_history *h) { return h->sum + places(h); }

// ---------------------------------------------------------------- append

static unsigned slot_for(tsl_history *h, unsigned thread) {
    if (!h->slot_of[thread % TSL_MAX_THREADS]) {
        tsl_vec_push(&h->slots,
                     (tsl_slot){.thread = (uint16_t)thread, .last = TSL_NONE, .wake = TSL_NONE});
        h->slot_of[thread % TSL_MAX_THREADS] = (uint16_t)h->slots.len;
        if (h->by_slot.len < h->slots.len)
            tsl_vec_push(&h->by_slot, (tsl_positions){0});
    }
    return h->slot_of[thread % TSL_MAX_THREADS] - 1u;
}

static void add_accesses(tsl_history *h, const tsl_op *op) {
    for (unsigned i = 0; i < op->naccesses; i++) {
        tsl_access a = op->access[i];
        h->deps_from = h->deps.len;
        if ((h->reads_conflict && a.space == TSL_SPACE_MEMORY) ||
            (h->coarse && tsl_op_by_value(a.kind)))
            a.role = TSL_ROLE_WRITE;
        tsl_vec_push(&h->accesses, a);
        if (a.kind == TSL_EV_ASM)
            continue; // depend_on_opaque
        if (a.space == TSL_SPACE_MEMORY)
            touch_memory(h, &a, i);
        else
            touch_object(h, &a, i);
    }
}

// The process ends when nobody else can run: behind everything there is.  Nothing follows, so
// nobody asks for its direct dependences.
static void depend_on_everybody(tsl_history *h, tsl_step *step) {
    own_clock(h, step);
    for (size_t i = 0; i < h->slots.len; i++) {
        uint32_t last = h->slots.data[i].last;
        h->clocks.data[step->clock + 1 + i] = last == TSL_NONE ? 0 : h->steps.data[last].index;
    }
    if (h->steps.len > 1)
        step->latest = (uint32_t)h->steps.len - 2;
}

static bool is_opaque(const tsl_op *op) {
    for (unsigned i = 0; i < op->naccesses; i++)
        if (op->access[i].kind == TSL_EV_ASM)
            return true;
    return false;
}

// The latest step of the thread that touches anything.
static uint32_t last_touching(const tsl_history *h, size_t slot) {
    uint32_t s = h->slots.data[slot].last;
    while (s != TSL_NONE && tsl_step_accesses_end(h, s) == h->steps.data[s].accesses)
        s = h->steps.data[s].before;
    return s;
}

// The last step that a step depends on for what that one may touch, or TSL_NONE.
static uint32_t last_opaque(const tsl_history *h, bool touches) {
    for (size_t i = touches || h->has_unknown ? h->opaque.len : 0; i-- > 0;)
        if (touches || h->steps.data[h->opaque.data[i]].unknown)
            return h->opaque.data[i];
    return TSL_NONE;
}

// How far the other threads have come, as far as that matters to a step that may touch anything.
static uint64_t touching_places(const tsl_history *h, unsigned slot) {
    uint64_t sum = 0;
    for (size_t i = 0; i < h->slots.len; i++) {
        uint32_t last = i == slot ? TSL_NONE : last_touching(h, i);
        if (last != TSL_NONE)
            sum += mix(h->slots.data[i].thread, h->steps.data[last].index);
    }
    return sum;
}

// What may touch anything depends on all that touched something before it, and all that touches
// something on it; what is unknown depends on everything, and everything on it.  Any two of these depend
// on each other, so that the last one stands for all.
static void depend_on_opaque(tsl_history *h, const tsl_op *op, bool opaque) {
    uint32_t s = (uint32_t)h->steps.len - 1;
    uint32_t before = last_opaque(h, op->naccesses || opaque);
    h->deps_from = h->deps.len;
    if (before != TSL_NONE)
        depend(h, before, TSL_DEP_OPAQUE);
    if (!opaque)
        return;
    for (size_t i = 0; i < h->slots.len; i++) {
        uint32_t last = i == h->steps.data[s].slot ? TSL_NONE
                        : op->unknown              ? h->slots.data[i].last
                                                   : last_touching(h, i);
        if (last != TSL_NONE)
            depend(h, last, TSL_DEP_OPAQUE);
    }
    tsl_vec_push(&h->opaque, s);
}

static void depend_on_creation(tsl_history *h, uint64_t thread) {
    uint32_t object = find_object(h, thread << 1 | 1);
    uint32_t t = object == TSL_NONE ? TSL_NONE : h->objects.data[object].last;
    while (t != TSL_NONE && h->steps.data[h->touches.data[t].step].kind != TSL_EV_CREATE)
        t = h->touches.data[t].prev;
    h->deps_from = h->deps.len;
    if (t != TSL_NONE)
        depend(h, h->touches.data[t].step, TSL_DEP_ALWAYS);
}

static void wake_all(tsl_history *h, uint32_t s) {
    for (uint32_t i = h->steps.data[s].wakes; i < h->wakes.len; i++) {
        unsigned slot = h->slot_of[h->wakes.data[i].thread % TSL_MAX_THREADS];
        if (slot)
            h->slots.data[slot - 1].wake = s;
    }
}

static void note_atomic(tsl_history *h, const tsl_step *step) {
    h->by_clocks |= step->order != __ATOMIC_SEQ_CST;
    if (step->kind == TSL_EV_CAS && !h->has_cas)
        note_cas(h);
}

uint32_t tsl_history_append(tsl_history *h, const tsl_step_view *view) {
    unsigned slot = slot_for(h, view->op.thread);
    tsl_slot *thread = &h->slots.data[slot];
    const tsl_step *before = thread->last == TSL_NONE ? NULL : &h->steps.data[thread->last];
    uint32_t s = (uint32_t)h->steps.len;
    uint64_t past = before ? before->hash : 0;
    if (h->steps.len == h->steps.cap) {
        tsl_vec_reserve(&h->steps, h->steps.len + 1);
        before = thread->last == TSL_NONE ? NULL : &h->steps.data[thread->last];
    }
    tsl_step *step = &h->steps.data[h->steps.len++];
    *step = (tsl_step){.key = view->addr,
                       .site = view->site,
                       .clock = before ? before->clock : 0,
                       .index = before ? before->index + 1 : 1,
                       .before = thread->last,
                       .latest = thread->last,
                       .woken_by = thread->wake,
                       .touches = (uint32_t)h->touches.len,
                       .accesses = (uint32_t)h->accesses.len,
                       .wakes = (uint32_t)h->wakes.len,
                       .next_event = (uint32_t)view->next,
                       .slot = (uint16_t)slot,
                       .thread = view->op.thread,
                       .choice = view->choice,
                       .nchoices = view->nchoices,
                       .res = view->res,
                       .kind = view->op.kind,
                       .order = view->order & 127,
                       .unknown = view->op.unknown};
    if (tsl_is_atomic(step->kind) || step->kind == TSL_EV_FENCE)
        note_atomic(h, step);
    tsl_vec_clear(&h->deps);
    add_accesses(h, &view->op);
    for (size_t i = 0; i < view->nwakes; i++)
        tsl_vec_push(&h->wakes, view->wakes[i]);
    bool opaque = (is_opaque(&view->op) || view->op.unknown) && !TSL_BROKEN(OPAQUE);
    if (opaque || h->opaque.len)
        depend_on_opaque(h, &view->op, opaque);
    uint64_t others = 0;
    if (view->op.kind == TSL_EV_EXIT) {
        depend_on_everybody(h, step);
        others = h->sum;
        if (!view->op.unknown)
            tsl_vec_clear(&h->deps);
    }
    if (view->op.kind == TSL_EV_START && !TSL_BROKEN(CREATION))
        depend_on_creation(h, view->addr);
    thread = &h->slots.data[slot];
    bool owned = false;
    for (size_t i = 0; i < h->deps.len; i++) {
        uint32_t dep = h->deps.data[i].step;
        if (step->latest == TSL_NONE || dep > step->latest)
            step->latest = dep;
        join(h, dep, &owned);
        others += h->steps.data[h->deps.data[i].step].hash;
    }
    if (step->woken_by != TSL_NONE && !TSL_BROKEN(WAKE_EDGE)) {
        join(h, step->woken_by, &owned);
        if (step->latest == TSL_NONE || step->woken_by > step->latest)
            step->latest = step->woken_by;
        others += 3 * h->steps.data[step->woken_by].hash;
    }
    step->clocks_end = (uint32_t)h->clocks.len;
    bool odd = view->op.unknown || opaque;
    h->has_odd |= odd;
    h->has_unknown |= view->op.unknown;
    h->looks_at_ends |= odd || view->op.kind == TSL_EV_TRYJOIN;
    if (odd)
        others += view->op.unknown ? places(h) : touching_places(h, slot);
    if (tsl_step_decides(view)) {
        const tsl_access *accesses = &h->accesses.data[step->accesses];
        step->hash = hash_of(label(step, accesses, h->accesses.len - step->accesses), past, others);
    } else
        step->hash = past;
    h->sum += step->hash - past;
    thread->last = s;
    thread->wake = TSL_NONE;
    tsl_vec_push(&h->by_slot.data[slot], s);
    wake_all(h, s);
    return s;
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

static void forget_touches(tsl_history *h, uint32_t n) {
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

static void forget_wakes(tsl_history *h, uint32_t n) {
    for (uint32_t i = n; i < h->wakes.len; i++) {
        unsigned slot = h->slot_of[h->wakes.data[i].thread % TSL_MAX_THREADS];
        if (slot)
            h->slots.data[slot - 1].wake = TSL_NONE;
    }
    h->wakes.len = n;
}

void tsl_history_cut(tsl_history *h, size_t n) {
    if (n >= h->steps.len)
        return;
    forget_touches(h, h->steps.data[n].touches);
    while (h->opaque.len && tsl_vec_last(&h->opaque) >= n)
        h->opaque.len--;
    h->accesses.len = h->steps.data[n].accesses;
    for (size_t s = h->steps.len; s-- > n;) {
        const tsl_step *step = &h->steps.data[s];
        if (step->wakes < h->wakes.len)
            forget_wakes(h, step->wakes);
        tsl_slot *thread = &h->slots.data[step->slot];
        thread->last = step->before;
        thread->wake = step->woken_by;
        h->by_slot.data[step->slot].len--;
        uint64_t past = step->before == TSL_NONE ? 0 : h->steps.data[step->before].hash;
        if (!TSL_BROKEN(CUT))
            h->sum += past - step->hash;
        if (step->before == TSL_NONE) {
            h->slot_of[step->thread % TSL_MAX_THREADS] = 0;
            h->slots.len--;
        }
    }
    h->steps.len = n;
    h->clocks.len = n ? h->steps.data[n - 1].clocks_end : 1;
}

// Has nobody but this thread touched the eight bytes, nor anything that lives in them?
static bool is_own(const tsl_history *h, uint64_t eight, unsigned slot) {
    uint32_t object = find_object(h, eight << 1);
    if (object == TSL_NONE || TSL_BROKEN(OWN))
        return true;
    if (h->objects.data[object].first_inside != TSL_NONE || h->objects.data[object].reaches)
        return false;
    unsigned look = 16; // and no further
    for (; object != TSL_NONE; object = h->objects.data[object].next)
        for (uint32_t t = h->objects.data[object].last; t != TSL_NONE; t = h->touches.data[t].prev)
            if (h->steps.data[h->touches.data[t].step].slot != slot || look-- == 0)
                return false;
    return true;
}

bool tsl_history_skip(const tsl_history *h, const tsl_trace *trace, size_t from, uint64_t *hash) {
    uint64_t own = 0;
    unsigned slot = 0; // + 1
    *hash = h->sum;
    for (size_t i = from; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        tsl_step step = {.kind = (uint8_t)e->kind, .thread = e->thread, .res = e->res};
        tsl_access a;
        if (!tsl_is_plain_access(e->kind))
            continue;
        if (!slot) {
            slot = h->slot_of[e->thread % TSL_MAX_THREADS];
            if (!slot || h->slots.data[slot - 1].wake != TSL_NONE)
                return false;
            own = h->steps.data[h->slots.data[slot - 1].last].hash;
            *hash -= own;
        }
        tsl_access_fill(&a, e->kind, e->res, e->addr, 1ull << (e->arg & 15u));
        for (uint64_t eight = a.addr >> 3; eight <= (a.addr + a.size - 1) >> 3; eight++)
            if (!is_own(h, eight, slot - 1))
                return false;
        own = hash_of(label(&step, &a, 1), own, 0);
    }
    *hash += own;
    return true;
}

void tsl_history_read(tsl_history *h, const tsl_trace *trace) {
    tsl_step_view view;
    size_t at = h->steps.len ? tsl_vec_last(&h->steps).next_event : 0;
    for (; tsl_step_read(trace, at, &view); at = view.next) {
        tsl_deadline_ask();
        tsl_history_append(h, &view);
    }
}

// ---------------------------------------------------------------- ops

tsl_op tsl_history_op(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    uint32_t end = tsl_step_accesses_end(h, s);
    tsl_op op = {.thread = step->thread,
                 .kind = step->kind,
                 .naccesses = (uint8_t)(end - step->accesses),
                 .unknown = step->unknown};
    for (unsigned i = 0; i < op.naccesses; i++)
        op.access[i] = h->accesses.data[step->accesses + i];
    return op;
}

bool tsl_history_conflict(const tsl_history *h, const tsl_op *op, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    if (op->thread == step->thread || op->unknown || step->unknown)
        return true;
    uint32_t end = tsl_step_accesses_end(h, s);
    for (unsigned i = 0; i < op->naccesses; i++)
        for (uint32_t k = step->accesses; k < end; k++)
            if (tsl_access_conflict(&op->access[i], &h->accesses.data[k]))
                return true;
    return false;
}

uint32_t tsl_positions_behind(const tsl_positions *steps, uint32_t s) {
    size_t low = 0, high = steps->len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (steps->data[middle] > s)
            high = middle;
        else
            low = middle + 1;
    }
    return low < steps->len ? steps->data[low] : TSL_NONE;
}

typedef struct behind {
    const tsl_history *h;
    const tsl_op *op;
    uint32_t after, but;
    const uint32_t *gone;
} behind;

static bool step_conflicts(const behind *b, uint32_t step) {
    if (step == b->but || tsl_history_before(b->h, b->after, step) ||
        !tsl_history_conflict(b->h, b->op, step))
        return false;
    return b->h->steps.data[step].index > b->gone[b->h->steps.data[step].slot];
}

// A read of memory conflicts with writes only.
static bool writes_conflict(const behind *b, uint32_t cell) {
    const tsl_touch *touches = b->h->touches.data;
    for (; cell != TSL_NONE; cell = b->h->objects.data[cell].next)
        for (uint32_t t = b->h->objects.data[cell].last_write;
             t != TSL_NONE && touches[t].step > b->after; t = touches[t].prev_write)
            if (step_conflicts(b, touches[t].step))
                return true;
    return false;
}

// Touches of one object behind step `after`, latest first; op touches it in that role.
static bool chain_conflicts(const behind *b, uint32_t object, unsigned role) {
    if (object == TSL_NONE)
        return false;
    const tsl_touch *touches = b->h->touches.data;
    for (uint32_t t = b->h->objects.data[object].last; t != TSL_NONE; t = touches[t].prev) {
        if (touches[t].step <= b->after)
            return false;
        if (tsl_roles_conflict(role, touches[t].role) && step_conflicts(b, touches[t].step))
            return true;
    }
    return false;
}

static bool cells_conflict(const behind *b, uint32_t cell, unsigned role) {
    for (; cell != TSL_NONE; cell = b->h->objects.data[cell].next)
        if (chain_conflicts(b, cell, role))
            return true;
    return false;
}

// An object, and the memory it lies in.
static bool object_conflicts(const behind *b, const tsl_access *a) {
    const tsl_history *h = b->h;
    uint32_t object = find_object(h, a->addr << 1 | 1);
    if (object == TSL_NONE) {
        for (uint64_t eight = a->addr >> 3; eight <= (a->addr + a->size - 1) >> 3; eight++)
            if (cells_conflict(b, find_object(h, eight << 1), a->role))
                return true;
        return false;
    }
    for (uint32_t r = h->objects.data[object].reaches; r; r = h->reaches.data[r - 1].next)
        if (cells_conflict(b, h->reaches.data[r - 1].other, a->role))
            return true;
    return chain_conflicts(b, object, a->role) ||
           cells_conflict(b, h->objects.data[object].memory, a->role);
}

// Memory that is overwritten, and what lies in it.
static bool memory_conflicts(const behind *b, uint32_t memory, unsigned role) {
    const tsl_history *h = b->h;
    if (memory == TSL_NONE)
        return false;
    uint32_t inside = h->objects.data[memory].first_inside;
    for (; inside != TSL_NONE; inside = h->objects.data[inside].next)
        if (chain_conflicts(b, inside, role))
            return true;
    for (uint32_t r = h->objects.data[memory].reaches; r; r = h->reaches.data[r - 1].next)
        if (chain_conflicts(b, h->reaches.data[r - 1].other, role))
            return true;
    return cells_conflict(b, memory, role);
}

static bool any_conflicts(const behind *b) {
    for (uint32_t j = b->after + 1; j < b->h->steps.len; j++)
        if (step_conflicts(b, j))
            return true;
    return false;
}

bool tsl_history_conflict_behind(const tsl_history *h, const tsl_op *op, uint32_t after,
                                 uint32_t but, const uint32_t *gone) {
    behind b = {h, op, after, but, gone};
    tsl_deadline_ask();
    if (op->unknown || h->has_odd)
        return any_conflicts(&b);
    for (unsigned i = 0; i < op->naccesses; i++) {
        const tsl_access *a = &op->access[i];
        if (a->space == TSL_SPACE_OBJECT) {
            if (object_conflicts(&b, a))
                return true;
            continue;
        }
        if (a->size > 64)
            return any_conflicts(&b);
        for (uint64_t eight = a->addr >> 3; eight <= (a->addr + a->size - 1) >> 3; eight++) {
            uint32_t memory = find_object(h, eight << 1);
            if (a->role == TSL_ROLE_READ) {
                if (writes_conflict(&b, memory))
                    return true;
                continue;
            }
            if (memory_conflicts(&b, memory, a->role))
                return true;
        }
    }
    return false;
}
