// How does happens-before of C11 grow with each step of a run?  See sync.h.
#include "model/sync.h"

#include <stdlib.h>

#include "model/sync_inner.h"

enum { FIRST_SIZE = 1 << 10 };

// ---------------------------------------------------------------- lifetime

void tsl_sync_init(tsl_sync *y, bool by_races) {
    *y = (tsl_sync){.by_races = by_races && !TSL_BROKEN(FIRST_RACES), .size = FIRST_SIZE};
    y->places = tsl_alloc(y->size * sizeof *y->places);
    tsl_sync_begin(y);
}

void tsl_sync_drop(tsl_sync *y) {
    tsl_vec_drop(&y->of_step);
    tsl_vec_drop(&y->clocks);
    tsl_vec_drop(&y->entries);
    tsl_vec_drop(&y->threads);
    tsl_vec_drop(&y->candidates);
    tsl_vec_drop(&y->races);
    tsl_free(y->places);
}

void tsl_sync_begin(tsl_sync *y) {
    y->run++;
    y->used = 0;
    y->unused = y->opaque = TSL_NONE;
    tsl_vec_clear(&y->of_step);
    tsl_vec_clear(&y->clocks);
    tsl_vec_push(&y->clocks, 0); // the clock that knows nothing
    tsl_vec_clear(&y->entries);
    tsl_vec_clear(&y->threads);
    tsl_vec_clear(&y->races);
}

// ---------------------------------------------------------------- places and entries

tsl_sync_place *tsl_sync_find(const tsl_sync *y, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (y->size - 1);
    while (y->places[at].run == y->run && y->places[at].key != key)
        at = (at + 1) & (y->size - 1);
    return &y->places[at];
}

static void grow(tsl_sync *y) {
    tsl_sync_place *old = y->places;
    size_t n = y->size;
    y->size *= 4;
    y->places = tsl_alloc(y->size * sizeof *y->places);
    for (size_t i = 0; i < n; i++)
        if (old[i].run == y->run)
            *tsl_sync_find(y, old[i].key) = old[i];
    tsl_free(old);
}

tsl_sync_place *tsl_sync_make(tsl_sync *y, uint64_t key) {
    tsl_sync_place *p = tsl_sync_find(y, key);
    if (p->run == y->run)
        return p;
    if (++y->used * 2 > y->size) {
        grow(y);
        p = tsl_sync_find(y, key);
    }
    *p = (tsl_sync_place){.key = key, .run = y->run, .first = TSL_NONE};
    return p;
}

void tsl_sync_add_entry(tsl_sync *y, uint32_t *first, tsl_sync_entry entry) {
    uint32_t at = y->unused;
    entry.next = *first;
    if (at == TSL_NONE) {
        at = (uint32_t)y->entries.len;
        tsl_vec_push(&y->entries, entry);
    } else {
        y->unused = y->entries.data[at].next;
        y->entries.data[at] = entry;
    }
    *first = at;
}

void tsl_sync_take_out(tsl_sync *y, uint32_t *link) {
    uint32_t at = *link;
    *link = y->entries.data[at].next;
    y->entries.data[at].next = y->unused;
    y->unused = at;
}

// ---------------------------------------------------------------- clocks

static uint32_t component(const tsl_sync *y, uint32_t clock, unsigned slot) {
    const uint32_t *c = y->clocks.data + clock;
    return slot < c[0] ? c[1 + slot] : 0;
}

// How many steps of the thread in `slot` happen before step s, or are s?
static uint32_t knows(const tsl_sync *y, const tsl_history *h, uint32_t s, unsigned slot) {
    const tsl_step *step = &h->steps.data[s];
    return slot == step->slot ? step->index : component(y, y->of_step.data[s], slot);
}

bool tsl_sync_before(const tsl_sync *y, const tsl_history *h, uint32_t a, uint32_t b) {
    const tsl_step *step = &h->steps.data[a];
    return knows(y, h, b, step->slot) >= step->index;
}

void tsl_sync_rest(const tsl_sync *y, const tsl_history *h, uint32_t first, uint32_t second,
                   tsl_step_list *out) {
    tsl_vec_clear(out);
    for (uint32_t j = first + 1; j < second; j++)
        if (!tsl_sync_before(y, h, first, j))
            tsl_vec_push(out, j);
}

// Gives the current step a clock of its own.
static void own_clock(tsl_sync *y, const tsl_history *h, uint32_t s) {
    uint32_t width = (uint32_t)h->slots.len, at = (uint32_t)y->clocks.len;
    tsl_vec_reserve(&y->clocks, y->clocks.len + 1 + width);
    const uint32_t *from = y->clocks.data + y->of_step.data[s];
    uint32_t *to = y->clocks.data + at;
    to[0] = width;
    for (unsigned i = 0; i < width; i++)
        to[1 + i] = i < from[0] ? from[1 + i] : 0;
    y->clocks.len += 1 + width;
    y->of_step.data[s] = at;
    y->owned = true;
}

void tsl_sync_follow(const tsl_sync_at *x, uint32_t with) {
    tsl_sync *y = x->y;
    if (with == TSL_NONE || tsl_sync_before(y, x->h, with, x->s))
        return;
    if (!y->owned)
        own_clock(y, x->h, x->s);
    const tsl_step *other = &x->h->steps.data[with];
    uint32_t *mine = y->clocks.data + y->of_step.data[x->s] + 1;
    const uint32_t *its = y->clocks.data + y->of_step.data[with] + 1;
    for (unsigned i = 0; i < its[-1]; i++)
        mine[i] = mine[i] > its[i] ? mine[i] : its[i];
    mine[other->slot] = other->index;
}

static tsl_sync_thread *thread_in(tsl_sync *y, unsigned slot) {
    while (y->threads.len <= slot)
        tsl_vec_push(&y->threads,
                     (tsl_sync_thread){.last = TSL_NONE, .release = TSL_NONE, .read = TSL_NONE});
    return &y->threads.data[slot];
}

// ---------------------------------------------------------------- steps

static int latest_first(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

// Candidates that are not ordered before the current step race with it.  They are looked at latest
// first, because by_races makes the step follow each, and so earlier ones as well.
static void find_races(const tsl_sync_at *x) {
    tsl_sync *y = x->y;
    if (y->candidates.len > 1)
        qsort(y->candidates.data, y->candidates.len, sizeof *y->candidates.data, latest_first);
    for (size_t i = 0; i < y->candidates.len; i++) {
        uint32_t first = y->candidates.data[i];
        bool again = i > 0 && y->candidates.data[i - 1] == first;
        if (again || tsl_sync_before(y, x->h, first, x->s))
            continue;
        tsl_vec_push(&y->races, first);
        if (y->by_races)
            tsl_sync_follow(x, first);
    }
}

static tsl_sync_at begin_step(tsl_sync *y, const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    tsl_sync_thread *t = thread_in(y, step->slot);
    tsl_vec_push(&y->of_step, t->clock);
    y->owned = false;
    tsl_vec_clear(&y->candidates);
    tsl_vec_clear(&y->races);
    return (tsl_sync_at){.y = y, .h = h, .s = s, .slot = step->slot};
}

static void read_any(tsl_sync_at *x, const tsl_step *step) {
    bool memory = tsl_sync_objects(x);
    if (step->kind == TSL_EV_FENCE)
        tsl_sync_fence(x, step->order);
    if (!memory)
        return;
    if (tsl_is_atomic(step->kind) || step->kind == TSL_EV_SECTION)
        tsl_sync_load(x);
    tsl_sync_collect(x);
    find_races(x);
    tsl_sync_record(x);
}

void tsl_sync_read(tsl_sync *y, const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    tsl_sync_at x = begin_step(y, h, s);
    tsl_sync_place *place = tsl_sync_only_place(&x);
    if (place) {
        if (x.way >= ATOMIC_READ)
            tsl_sync_load_at(&x, place);
        tsl_sync_collect_at(&x, place);
        if (y->candidates.len)
            find_races(&x);
        tsl_sync_record_at(&x, place);
    } else
        read_any(&x, step);
    y->threads.data[step->slot].last = s;
    y->threads.data[step->slot].clock = y->of_step.data[s];
}

void tsl_sync_peek(tsl_sync *y, const tsl_history *h, uint32_t s) {
    tsl_sync_at x = begin_step(y, h, s);
    tsl_sync_follow(&x, h->steps.data[s].woken_by);
    tsl_sync_collect(&x);
    find_races(&x);
    y->of_step.len--;
}
