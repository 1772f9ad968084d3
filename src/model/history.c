#include "model/history_inner.h"

#include <string.h>

#include "base/deadline.h"
#include "base/err.h"
#include "base/hash.h"

enum { FIRST_INDEX = 1 << 10 };

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
    tsl_vec_drop(&h->frees);
    tsl_map_drop(&h->pages);
    tsl_free(h->index);
    tsl_free(h->slot_of);
    tsl_free(h->dep_of);
}

// ---------------------------------------------------------------- clocks

// Gives the last step a clock of its own, with a component for each thread.
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

// Which bits of a result belong in the hash?  Only those that do not follow from the step's past
// and the branches after it.  The order of steps that commute must not count, nor marks of values,
// which differ for other inputs, nor whether a compare-and-swap stored if inputs decide that.
static uint16_t hashed_bits(unsigned kind, size_t naccesses) {
    static const uint16_t bits[256] = {
#define COMMUTES(kind) ((kind) == TSL_EV_BARRIER_ARRIVE || (kind) == TSL_EV_SEM_POST)
#define TSL_EVENT(name, text, class, role, object, type, result, ...)                              \
    [TSL_EV_##name] =                                                                              \
        COMMUTES(TSL_EV_##name) || TSL_RESULT_##result == TSL_RESULT_MARK ? 0 : UINT16_MAX,
#include "abi/events.def"
#undef TSL_EVENT
#undef COMMUTES
    };
    return kind == TSL_EV_CAS ? naccesses == 1 : bits[kind];
}

// Does the access belong in the hash?  When libc frees a block of its own (the name of a time zone)
// within another step, it does not: steps that commute may do that in either order.
static bool is_hashed(const tsl_step *step, const tsl_access *a) {
    return a->kind != TSL_EV_FREE || step->kind == TSL_EV_FREE;
}

static uint64_t with_access(uint64_t hash, unsigned kind, uint64_t addr, uint64_t size,
                            unsigned res) {
    return tsl_hash_mix(hash + (size << 16 | res) * 0x9fb21c651e98df25ull, addr << 8 | kind);
}

static inline __attribute__((always_inline)) uint64_t label(const tsl_step *step,
                                                            const tsl_access *accesses, size_t n) {
    uint16_t bits = hashed_bits(step->kind, n);
    uint64_t hash = tsl_hash_mix(step->kind | (uint64_t)step->thread << 8 |
                                     (uint64_t)step->choice << 24 | (uint64_t)step->nchoices << 40,
                                 step->res & bits);
    for (size_t i = 0; i < n; i++) {
        const tsl_access *a = &accesses[i];
        if (__builtin_expect(is_hashed(step, a), 1))
            hash = with_access(hash, a->kind, a->addr, a->size, a->res & bits);
    }
    return hash;
}

// The same for a step that is one plain access.
static uint64_t label_of_access(unsigned kind, unsigned thread, uint64_t addr, uint64_t size,
                                unsigned res) {
    res &= hashed_bits(kind, 1);
    return with_access(tsl_hash_mix(kind | (uint64_t)thread << 8, res), kind, addr, size, res);
}

static uint64_t hash_of(uint64_t label, uint64_t past, uint64_t others) {
    return tsl_hash_mix(tsl_hash_mix(label, past), others);
}

// Ends of threads and joins are not in the hash of an order, because the steps before them decide
// where they stand; so they can be left out at the end of a run (tsl_step_decides).  The few steps
// that conflict with such an end without having a result that depends on it hash the positions of
// the other threads instead.
static uint64_t place_of(const tsl_history *h, uint32_t step) {
    return step == TSL_NONE ? 0
                            : tsl_hash_mix(h->steps.data[step].thread, h->steps.data[step].index);
}

static uint64_t places(const tsl_history *h) {
    uint64_t sum = 0;
    for (size_t i = 0; i < h->slots.len; i++)
        sum += place_of(h, h->slots.data[i].last);
    return sum;
}

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

// Adds the accesses of the last step, and the dependences that follow.  Is one of them opaque?
static bool add_accesses(tsl_history *h, const tsl_op *op) {
    bool opaque = false;
    for (unsigned i = 0; i < op->naccesses; i++) {
        tsl_access a = op->access[i];
        h->deps_from = h->deps.len;
        if ((h->reads_conflict && a.space == TSL_SPACE_MEMORY) ||
            (h->coarse && tsl_op_by_value(a.kind)))
            a.role = TSL_ROLE_WRITE;
        tsl_vec_push(&h->accesses, a);
        if (a.kind == TSL_EV_TOUCH)
            h->has_touch = true;
        if (a.kind == TSL_EV_ASM)
            opaque = true; // its dependences: see depend_on_opaque
        else if (a.space == TSL_SPACE_MEMORY)
            tsl_history_touch_memory(h, &a, i);
        else
            tsl_history_touch_object(h, &a, i);
    }
    return opaque;
}

// The process ends when no other thread can run, so EXIT happens after all other steps.  No step
// follows, so nobody asks for its direct dependences.
static void depend_on_everybody(tsl_history *h, tsl_step *step) {
    own_clock(h, step);
    for (size_t i = 0; i < h->slots.len; i++) {
        uint32_t last = h->slots.data[i].last;
        h->clocks.data[step->clock + 1 + i] = last == TSL_NONE ? 0 : h->steps.data[last].index;
    }
    if (h->steps.len > 1)
        step->latest = (uint32_t)h->steps.len - 2;
}

// The latest step of the thread that touches anything, or TSL_NONE.
static uint32_t last_touching(const tsl_history *h, size_t slot) {
    uint32_t s = h->slots.data[slot].last;
    while (s != TSL_NONE && tsl_step_accesses_end(h, s) == h->steps.data[s].accesses)
        s = h->steps.data[s].before;
    return s;
}

// The last opaque step that a step depends on, or TSL_NONE.  `touches` says whether the step itself
// touches anything; if not, it only depends on unknown steps.
static uint32_t last_opaque(const tsl_history *h, bool touches) {
    for (size_t i = touches || h->has_unknown ? h->opaque.len : 0; i-- > 0;)
        if (touches || h->steps.data[h->opaque.data[i]].unknown)
            return h->opaque.data[i];
    return TSL_NONE;
}

// A hash of how far the other threads have come.  Only steps that touch something count: a step
// that may touch anything does not depend on others.
static uint64_t touching_places(const tsl_history *h, unsigned slot) {
    uint64_t sum = 0;
    for (size_t i = 0; i < h->slots.len; i++)
        sum += i == slot ? 0 : place_of(h, last_touching(h, i));
    return sum;
}

// An opaque step, which may touch anything, depends on every earlier step that touched something,
// and every later step that touches something depends on it.  An unknown step depends on every
// earlier step, and every later step depends on it.  Any two opaque or unknown steps depend on each
// other, so it is enough to look at the last one.
static void depend_on_opaque(tsl_history *h, const tsl_op *op, bool opaque) {
    uint32_t s = (uint32_t)h->steps.len - 1;
    uint32_t before = last_opaque(h, op->naccesses || opaque);
    h->deps_from = h->deps.len;
    if (before != TSL_NONE)
        tsl_history_depend(h, before, TSL_DEP_OPAQUE);
    if (!opaque)
        return;
    for (size_t i = 0; i < h->slots.len; i++) {
        uint32_t last = i == h->steps.data[s].slot ? TSL_NONE
                        : op->unknown              ? h->slots.data[i].last
                                                   : last_touching(h, i);
        if (last != TSL_NONE)
            tsl_history_depend(h, last, TSL_DEP_OPAQUE);
    }
    tsl_vec_push(&h->opaque, s);
    h->has_rare = true;
}

static void depend_on_creation(tsl_history *h, uint64_t thread) {
    uint32_t object = tsl_object_find(h, thread << 1 | 1);
    uint32_t t = object == TSL_NONE ? TSL_NONE : h->objects.data[object].last;
    while (t != TSL_NONE && h->steps.data[h->touches.data[t].step].kind != TSL_EV_CREATE)
        t = h->touches.data[t].prev;
    h->deps_from = h->deps.len;
    if (t != TSL_NONE)
        tsl_history_depend(h, h->touches.data[t].step, TSL_DEP_ALWAYS);
}

// The threads of the wakes from number `from` on were woken by this step; TSL_NONE: by none.
static void wake_all(tsl_history *h, uint32_t from, uint32_t by) {
    for (uint32_t i = from; i < h->wakes.len; i++) {
        unsigned slot = h->slot_of[h->wakes.data[i].thread % TSL_MAX_THREADS];
        if (slot)
            h->slots.data[slot - 1].wake = by;
    }
}

static void note_atomic(tsl_history *h, const tsl_step *step) {
    h->by_clocks |= step->order != __ATOMIC_SEQ_CST;
    if (step->kind == TSL_EV_CAS && !h->has_cas)
        tsl_history_note_cas(h);
}

// Adds the step itself.  Its clock is still that of the step before it in its thread.
static inline tsl_step *push_step(tsl_history *h, const tsl_step_view *view, unsigned slot) {
    if (h->steps.len == h->steps.cap)
        tsl_vec_reserve(&h->steps, h->steps.len + 1);
    uint32_t last = h->slots.data[slot].last, wake = h->slots.data[slot].wake;
    const tsl_step *before = last == TSL_NONE ? NULL : &h->steps.data[last];
    tsl_step *step = &h->steps.data[h->steps.len++];
    *step = (tsl_step){.key = view->addr,
                       .site = view->site,
                       .clock = before ? before->clock : 0,
                       .index = before ? before->index + 1 : 1,
                       .before = last,
                       .latest = last,
                       .woken_by = wake,
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
    return step;
}

// Fills the direct dependences of the last step, and its tables.  Is the step opaque?
static inline bool find_deps(tsl_history *h, const tsl_step_view *view, tsl_step *step) {
    tsl_vec_clear(&h->deps);
    bool opaque = (add_accesses(h, &view->op) || view->op.unknown) && !TSL_BROKEN(OPAQUE);
    for (size_t i = 0; i < view->nwakes; i++)
        tsl_vec_push(&h->wakes, view->wakes[i]);
    if (opaque || h->opaque.len)
        depend_on_opaque(h, &view->op, opaque);
    if (view->op.kind == TSL_EV_EXIT) {
        depend_on_everybody(h, step);
        tsl_vec_clear(&h->deps);
    }
    if (view->op.kind == TSL_EV_START && !TSL_BROKEN(CREATION))
        depend_on_creation(h, view->addr);
    return opaque;
}

// Joins the clocks of all steps that the last step depends on.  Returns the sum of their hashes.
static inline uint64_t join_deps(tsl_history *h, tsl_step *step) {
    uint64_t others = 0;
    bool owned = false;
    for (size_t i = 0; i < h->deps.len; i++) {
        uint32_t dep = h->deps.data[i].step;
        if (step->latest == TSL_NONE || dep > step->latest)
            step->latest = dep;
        join(h, dep, &owned);
        others += h->steps.data[dep].hash;
    }
    if (step->woken_by != TSL_NONE && !TSL_BROKEN(WAKE_EDGE)) {
        join(h, step->woken_by, &owned);
        if (step->latest == TSL_NONE || step->woken_by > step->latest)
            step->latest = step->woken_by;
        others += 3 * h->steps.data[step->woken_by].hash;
    }
    step->clocks_end = (uint32_t)h->clocks.len;
    return others;
}

static void note_odd(tsl_history *h, bool unknown) {
    h->has_odd = h->looks_at_ends = true;
    h->has_unknown |= unknown;
}

uint32_t tsl_history_append(tsl_history *h, const tsl_step_view *view) {
    unsigned slot = slot_for(h, view->op.thread);
    uint32_t s = (uint32_t)h->steps.len;
    tsl_step *step = push_step(h, view, slot);
    uint64_t past = step->before == TSL_NONE ? 0 : h->steps.data[step->before].hash;
    if (tsl_is_atomic(step->kind) || step->kind == TSL_EV_FENCE)
        note_atomic(h, step);
    bool opaque = find_deps(h, view, step);
    uint64_t others = join_deps(h, step);
    if (view->op.kind == TSL_EV_EXIT)
        others += h->sum;
    h->looks_at_ends |= view->op.kind == TSL_EV_TRYJOIN;
    if (view->op.unknown || opaque) {
        note_odd(h, view->op.unknown);
        others += view->op.unknown ? places(h) : touching_places(h, slot);
    }
    if (tsl_step_decides(view)) {
        const tsl_access *accesses = &h->accesses.data[step->accesses];
        step->hash = hash_of(label(step, accesses, h->accesses.len - step->accesses), past, others);
    } else
        step->hash = past;
    h->sum += step->hash - past;
    h->slots.data[slot].last = s;
    h->slots.data[slot].wake = TSL_NONE;
    tsl_vec_push(&h->by_slot.data[slot], s);
    wake_all(h, h->steps.data[s].wakes, s);
    return s;
}

static void forget_rare(tsl_history *h, size_t n) {
    if (h->failing >= n)
        h->failing = 0;
    while (h->opaque.len && tsl_vec_last(&h->opaque) >= n)
        h->opaque.len--;
    while (h->frees.len && tsl_vec_last(&h->frees) >= n)
        h->frees.len--;
}

void tsl_history_cut(tsl_history *h, size_t n) {
    if (n >= h->steps.len)
        return;
    tsl_history_forget_touches(h, h->steps.data[n].touches);
    if (__builtin_expect(h->has_rare, 0))
        forget_rare(h, n);
    h->accesses.len = h->steps.data[n].accesses;
    for (size_t s = h->steps.len; s-- > n;) {
        const tsl_step *step = &h->steps.data[s];
        wake_all(h, step->wakes, TSL_NONE);
        h->wakes.len = step->wakes;
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

// Has no other thread touched the eight bytes, or an object in them?
static bool are_own(const tsl_history *h, uint64_t eight, unsigned slot) {
    uint32_t object = tsl_object_find(h, eight << 1);
    if (object == TSL_NONE && tsl_object_may_reach(h, eight)) // see inside.h
        return false;
    if (object == TSL_NONE || TSL_BROKEN(OWN))
        return true;
    if (h->objects.data[object].first_inside != TSL_NONE || h->objects.data[object].reaches)
        return false;
    unsigned look = 16; // a longer search would cost more than appending the step
    for (; object != TSL_NONE; object = h->objects.data[object].next)
        for (uint32_t t = h->objects.data[object].last; t != TSL_NONE; t = h->touches.data[t].prev)
            if (h->steps.data[h->touches.data[t].step].slot != slot || look-- == 0)
                return false;
    return true;
}

// The same for all bytes of an access.  `known` remembers eight bytes that are the thread's own.
static bool is_own(const tsl_history *h, uint64_t addr, uint64_t size, unsigned slot,
                   uint64_t *known) {
    for (uint64_t eight = addr >> 3; eight <= (addr + size - 1) >> 3; eight++) {
        if (eight != *known && !are_own(h, eight, slot))
            return false;
        *known = eight;
    }
    return true;
}

bool tsl_history_skip(const tsl_history *h, const tsl_run *run, size_t from, uint64_t *hash) {
    uint64_t own = 0, known = UINT64_MAX, sum = h->sum;
    unsigned slot = 0; // 1 + the thread's slot, once it is known
    const tsl_trace *trace = &run->trace;
    for (const tsl_event *e = trace->events + from, *end = trace->events + trace->nevents; e < end;
         e++) {
        unsigned kind = e->kind;
        if (!tsl_is_plain_access(kind))
            continue;
        uint64_t addr = e->addr, size = 1ull << (e->arg & 15u);
        if (!slot) {
            slot = h->slot_of[e->thread % TSL_MAX_THREADS];
            if (!slot || h->slots.data[slot - 1].wake != TSL_NONE)
                return false;
            own = h->steps.data[h->slots.data[slot - 1].last].hash;
            sum -= own;
        }
        if (!is_own(h, addr, size, slot - 1, &known))
            return false;
        own = hash_of(label_of_access(kind, e->thread, addr, size, e->res), own, 0);
    }
    *hash = sum + own;
    return true;
}

void tsl_history_read(tsl_history *h, const tsl_run *run) {
    tsl_step_view view;
    for (size_t at = tsl_history_position(h); tsl_run_step(run, at, &view); at = view.next) {
        tsl_deadline_ask();
        tsl_history_append(h, &view);
    }
}
