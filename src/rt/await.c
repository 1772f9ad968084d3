// Loops that wait: has the last round of the loop changed anything?
//
// The compiler marks loops that may wait (cc/spin.h).  When a thread comes back to the head of such
// a loop in the same state, after one round or more, its events since then are read.  The round
// changed nothing if it did no more than
//
//     read, compare and swap without success, or write what was there already
//     yield or sleep
//     take locks and release them, while no other thread found them taken
//     write to its own stack, and leave there what was there before
//
// Then the next round will be the same, unless something that was read is written, and the thread
// stands before AWAIT.  This follows from the thread's own events, and from which threads saw its
// locks taken, so it is the same in all equivalent runs.
//
// A round that changed nothing can be left out of any run without a visible difference.  So a
// search need not run what follows such a round (TSL_PLAN_SPIN_ENDS): it also follows in runs in
// which the thread came later and found what it waits for.  Otherwise AWAIT is enabled once
// something differs from what was read.
//
// After GenMC and Nidhugg, which leave out loops without effect (Kokologiannakis, Ren, Vafeiadis:
// Dynamic partial order reductions for spinloops, FMCAD 2021; Jonsson, Lang, Sagonas: Awaiting for
// Godot, CAV 2022).  They find such loops in the source; here they are found while they run.
#include <string.h>

#include "await.h"
#include "notes.h"
#include "quick.h"

enum { MOST_LOOKS = 16, MOST_HELD = 8 };

// Memory that the round has read, and its value when the round ended.
typedef struct look {
    const void *p;
    uint64_t size, value;
} look;

struct tslrt_round {
    const tslrt_fiber *self;
    bool changed;     // the round changed something, so it does not wait
    bool stale;       // another thread wrote what was read, before the round ended
    bool twice;       // it wrote to its stack or errno: two rounds must leave the same there
    bool in_section;  // the notes at hand are the accesses of an atomic section
    bool goes_on;     // in spite of TSL_PLAN_SPIN_ENDS, as no race tells that what was read changed
    uint64_t scratch; // hash of what it left on its own stack
    const tsl_event *until; // end of its events
    unsigned nlooks, nheld;
    look looks[MOST_LOOKS];
    uint64_t held[MOST_HELD];
};

typedef struct tslrt_round round;

// ---------------------------------------------------------------- values

static uint64_t mix(uint64_t hash, uint64_t x) {
    hash = (hash ^ x) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

static uint64_t value_at(const void *p, uint64_t size) {
    uint64_t value = 0;
    if (size <= 8) {
        memcpy(&value, p, size);
        return value;
    }
    for (const unsigned char *byte = p, *end = byte + size; byte < end; byte++)
        value = mix(value, *byte);
    return value;
}

static void look_at(round *r, const void *p, uint64_t size) {
    for (unsigned i = 0; i < r->nlooks; i++)
        if (r->looks[i].p == p && r->looks[i].size == size)
            return;
    if (r->nlooks == MOST_LOOKS)
        r->changed = true; // too much to keep
    else
        r->looks[r->nlooks++] = (look){p, size, 0};
}

// ---------------------------------------------------------------- its own steps

static void take(round *r, uint64_t lock) {
    if (r->nheld == MOST_HELD)
        r->changed = true;
    else
        r->held[r->nheld++] = lock;
}

static void give_back(round *r, uint64_t lock) {
    for (unsigned i = r->nheld; i-- > 0;)
        if (r->held[i] == lock) {
            r->held[i] = r->held[--r->nheld];
            return;
        }
    r->changed = true; // the lock was taken before the round
}

static bool holds(const round *r, uint64_t lock) {
    for (unsigned i = 0; i < r->nheld; i++)
        if (r->held[i] == lock)
            return true;
    return false;
}

// A look at an object depends on its first bytes, which say who holds it or how often it is free.
static uint64_t size_of_object(unsigned kind) {
    return kind == TSL_EV_SEM_TRYWAIT || kind == TSL_EV_SEM_GET ? sizeof(uint32_t)
                                                                : 3 * sizeof(uint32_t);
}

static void acquire(round *r, const tsl_event *e) {
    if (e->res == 0)
        take(r, e->addr);
    else if (e->res == EBUSY || e->res == ETIMEDOUT)
        look_at(r, (const void *)(uintptr_t)e->addr, size_of_object(e->kind));
    else
        r->changed = true;
}

static void write_to(round *r, uint64_t addr, uint64_t size) {
    if (addr < r->self->stack.low || addr + size > r->self->stack.high) {
        r->changed = true;
        return;
    }
    r->twice = true;
    r->scratch = mix(mix(r->scratch, addr), value_at((const void *)(uintptr_t)addr, size));
}

static uint64_t size_at(const tsl_event *e, const tsl_event *end) {
    return tsl_access_size(e, tslrt_length_of(e, end));
}

// Of kinds that are neither loads nor locks.  What is not known to leave things as they were has
// changed something.
static void own_other(round *r, const tsl_event *e, const tsl_event *end) {
    const void *p = (const void *)(uintptr_t)e->addr;
    switch (e->kind) {
    case TSL_EV_CAS:
        r->changed |= e->res & 1;
        look_at(r, p, size_at(e, end));
        break;
    case TSL_EV_RMW:
        r->changed |= !(e->res & TSL_RMW_SAME);
        look_at(r, p, size_at(e, end));
        break;
    case TSL_EV_WRITE:
    case TSL_EV_VWRITE:
        write_to(r, e->addr, size_at(e, end));
        break;
    case TSL_EV_SEM_TRYWAIT:
        r->changed |= e->res == 0 || tslrt_is_signal(p); // a pending signal is not in memory
        r->twice = true;                                 // it sets errno
        look_at(r, p, size_of_object(e->kind));
        break;
    case TSL_EV_SEM_GET:
        look_at(r, p, size_of_object(e->kind));
        break;
    case TSL_EV_TRYJOIN:
        r->changed |= e->res != EBUSY;
        look_at(r, &((const tslrt_fiber *)p)->state, sizeof r->self->state);
        break;
    case TSL_EV_ONCE:
        r->changed |= e->res != 0;
        break;
    case TSL_EV_YIELD:
    case TSL_EV_SLEEP:
    case TSL_EV_FENCE:
    case TSL_EV_AWAIT:
    case TSL_EV_TESTCANCEL:
    case TSL_EV_TESTSIGNAL:
    case TSL_EV_SECTION:
        break;
    default:
        r->changed = true;
    }
}

static void own_step(round *r, const tsl_event *e, const tsl_event *end) {
    if (e->kind == TSL_EV_TESTCANCEL || (e->arg & TSL_ARG_LOOKS))
        look_at(r, &r->self->cancel.asked, sizeof r->self->cancel.asked);
    if (e->kind == TSL_EV_TESTSIGNAL)
        look_at(r, &r->self->interrupt.sent, sizeof r->self->interrupt.sent);
    r->in_section = e->kind == TSL_EV_SECTION;
    if (tsl_is_load(e->kind))
        look_at(r, (const void *)(uintptr_t)e->addr, size_at(e, end));
    else if (tsl_is_lock(e->kind))
        acquire(r, e);
    else if (tsl_is_unlock(e->kind))
        give_back(r, e->addr);
    else
        own_other(r, e, end);
}

// ---------------------------------------------------------------- notes and others

static void own_note(round *r, const tsl_event *e, const tsl_event *end) {
    if (r->in_section && e->kind == TSL_EV_ALSO) {
        if ((e->res & 255) == TSL_EV_AREAD || e->arg & TSL_ARG_SAME)
            look_at(r, (const void *)(uintptr_t)e->addr, size_at(e, end));
        else if ((e->res & 255) == TSL_EV_AWRITE)
            write_to(r, e->addr, size_at(e, end));
        else
            r->changed = true;
        return;
    }
    switch (e->kind) {
    case TSL_EV_NONE:
    case TSL_EV_ENABLE:
    case TSL_EV_DISABLE:
    case TSL_EV_LENGTH:
        break;
    case TSL_EV_CHOICE: // a weak compare-and-swap may succeed in the next round
        if (e[-1].kind == TSL_EV_CAS && e->res)
            r->stale = true;
        else if (e[-1].kind == TSL_EV_TESTSIGNAL && e->res)
            ; // the signal is still on its way
        else
            r->changed = true;
        break;
    case TSL_EV_ALSO: // a sleep writes what is left of its time; AWAIT reads what has changed
        if (e[-1].kind == TSL_EV_CHOICE && (e->res & 255) == TSL_EV_AWRITE)
            break;
        if ((e->res & 255) == TSL_EV_WRITE)
            write_to(r, e->addr, size_at(e, end));
        else if ((e->res & 255) == TSL_EV_READ)
            look_at(r, (const void *)(uintptr_t)e->addr, size_at(e, end));
        else
            r->changed |= (e->res & 255) != TSL_EV_AREAD && !tsl_is_look(e->res & 255);
        break;
    default:
        r->changed = true;
    }
}

static bool failed_try(const tsl_event *e) {
    bool tries = tsl_is_lock(e->kind) && tsl_never_blocks(e->kind);
    return tries && e->res != 0 && e->res != EOWNERDEAD;
}

static bool looks_at(const round *r, const void *p) {
    for (unsigned i = 0; i < r->nlooks; i++)
        if (r->looks[i].p == p)
            return true;
    return false;
}

// An access of another thread: a step's own, or one in an ALSO note.
static void foreign_access(round *r, const tsl_event *e, const tsl_event *end) {
    tsl_access a = tslrt_access_of(e, end);
    if (a.space == TSL_SPACE_NONE || a.role == TSL_ROLE_READ)
        return;
    r->stale |=
        a.kind == TSL_EV_CANCEL && e->res == r->self->id && looks_at(r, &r->self->cancel.asked);
    r->stale |= a.kind == TSL_EV_KILL && e->res == r->self->id; // sets the signal flag
    for (unsigned i = 0; i < r->nlooks && !r->stale; i++)
        r->stale = tsl_access_touches(&a, (uintptr_t)r->looks[i].p, r->looks[i].size);
}

// Is the event the end of a thread that the round tried to join?
static bool looks_at_end(const round *r, const tsl_event *e) {
    return e->kind == TSL_EV_END && looks_at(r, &tslrt_fiber_at(e->thread)->state);
}

static void foreign_step(round *r, const tsl_event *e, const tsl_event *end) {
    if (failed_try(e) && holds(r, e->addr))
        r->changed = true;
    r->stale |= looks_at_end(r, e);
    if (!r->stale)
        foreign_access(r, e, end);
}

// ---------------------------------------------------------------- the round

static bool changed_nothing(round *r, const tsl_loop *loop) {
    const tsl_event *end = TSL_HOT->cursor;
    for (const tsl_event *e = loop->since; e < end && !r->changed; e++) {
        bool own = e->thread == r->self->id;
        if (!tsl_is_note(e->kind))
            own ? own_step(r, e, end) : foreign_step(r, e, end);
        else if (own)
            own_note(r, e, end);
        else if (e->kind == TSL_EV_ALSO && !r->stale)
            foreign_access(r, e, end);
    }
    return !r->changed && !r->nheld && r->nlooks > 0 && TSL_HOT->effect_at < loop->since;
}

static const look *changed_look(const round *r) {
    for (unsigned i = 0; i < r->nlooks; i++)
        if (value_at(r->looks[i].p, r->looks[i].size) != r->looks[i].value)
            return &r->looks[i];
    return NULL;
}

static bool await_over(const tslrt_fiber *fiber) {
    const round *r = fiber->spun;
    return r &&
           (r->stale || tslrt_cancel_strikes(fiber) || fiber->interrupt.sent || changed_look(r));
}

bool tslrt_await_enabled(const tslrt_fiber *fiber) {
    bool may = !(RUN->plan->flags & TSL_PLAN_SPIN_ENDS) || (fiber->spun && fiber->spun->goes_on);
    return may && await_over(fiber);
}

// Does a recorded step explain that what was read has changed?  If not, code that is not
// instrumented has written it, and no race tells that the thread could have come later.
static bool is_explained(const tslrt_fiber *fiber) {
    round copy = *fiber->spun;
    const look *seen = changed_look(&copy);
    if (copy.stale || !seen)
        return true;
    copy.looks[0] = *seen;
    copy.nlooks = 1;
    for (const tsl_event *e = copy.until, *end = TSL_HOT->cursor; e < end && !copy.stale; e++)
        if (looks_at_end(&copy, e))
            copy.stale = true;
        else if (!tsl_is_note(e->kind) || e->kind == TSL_EV_ALSO)
            foreign_access(&copy, e, end);
    return copy.stale;
}

static unsigned size_code(uint64_t size) {
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

static void await(round *r, uint32_t site) {
    tslrt_fiber *self = SELF;
    r->until = TSL_HOT->cursor;
    for (unsigned i = 0; i < r->nlooks; i++)
        r->looks[i].value = value_at(r->looks[i].p, r->looks[i].size);
    self->spun = r;
    RUN->count.awaiting++;
    tslrt_block(TSL_EV_AWAIT, r->looks[0].p, site);
    RUN->count.awaiting--;
    self->spun = NULL;
    const look *seen = changed_look(r);
    if (!seen)
        seen = &r->looks[0];
    tslrt_record(TSL_EV_AWAIT, seen->p, site);
    if (seen->p == &self->cancel.asked)
        tslrt_also(TSL_EV_TESTCANCEL, (const void *)(TSL_OBJECT_REQUEST + (uintptr_t)self->id),
                   TSL_REQUEST_SEEN, 0);
    else if (seen->p == &self->interrupt.sent)
        tslrt_also(TSL_EV_TESTSIGNAL, (const void *)(TSL_OBJECT_SIGNAL + (uintptr_t)self->id),
                   TSL_REQUEST_SEEN, 0);
    else
        tslrt_also(TSL_EV_AREAD, seen->p, 0, size_code(seen->size));
}

// A hash of what the steps since `from` left on the thread's own stack and in errno.
static uint64_t left_behind(const round *r, const tsl_event *from) {
    round copy = {.self = r->self};
    const tsl_event *end = TSL_HOT->cursor;
    for (const tsl_event *e = from; e < end; e++)
        if (e->thread != copy.self->id)
            continue;
        else if (e->kind == TSL_EV_WRITE || e->kind == TSL_EV_VWRITE)
            write_to(&copy, e->addr, size_at(e, end));
        else if (e->kind == TSL_EV_ALSO)
            own_note(&copy, e, end);
    return mix(copy.scratch, (uint64_t)(uint32_t)tslrt_errno_of(copy.self)) | 1;
}

// From here on, looks for a cycle of at most `span` rounds.
static void start_anew(tsl_loop *loop, uint32_t span, uint64_t mark, uint64_t scratch) {
    loop->since = TSL_HOT->cursor;
    loop->span = loop->left = span;
    loop->mark = mark;
    loop->scratch = scratch;
}

// The registers are the same as before.  Is the stack, too?  Only its written parts are known, so
// two cycles in a row must leave the same there; if a cycle is one round, two rounds.  (As in
// Brent's search for cycles, the span doubles until it contains one.)
static bool is_back(const round *r, tsl_loop *loop) {
    uint64_t mark = left_behind(r, loop->last);
    if (loop->mark != mark) {
        if (!loop->mark || loop->left-- == 0)
            start_anew(loop, 2 * loop->span, mark, 0);
        return false;
    }
    uint64_t scratch = left_behind(r, loop->since), before = loop->scratch;
    bool one_round = loop->since == loop->last;
    start_anew(loop, loop->span, mark, scratch);
    return one_round || before == scratch;
}

TSL_SLOW void __teasel_loop_slow(tsl_loop *loop, uint64_t key, uint32_t site) {
    round r = {.self = SELF};
    if (loop->key != key) { // only the state one round before is the same
        start_anew(loop, loop->span, 0, 0);
        loop->key = key;
        loop->since = loop->last;
    }
    if (!changed_nothing(&r, loop))
        start_anew(loop, 1, 0, 0);
    else if (!r.twice || is_back(&r, loop)) {
        await(&r, site);
        start_anew(loop, 1, 0, 0);
    }
    loop->prev = key;
    loop->last = TSL_HOT->cursor;
}

// ---------------------------------------------------------------- all threads

// Rounds can be judged only while all accesses are recorded.
void tslrt_loops_update(void) {
    bool all = TSL_HOT->recording != TSL_RECORD_NOTHING && SELF && !SELF->filter.table;
    bool on = all && tslrt_watched() && !tslrt->memory.moved_from_outside;
    TSL_HOT->loops = on ? tslrt_loops_of(SELF->id) : NULL;
}

static tslrt_fiber *next_awaiting(const tslrt_fiber *before) {
    tslrt_fiber *next = tslrt_next_live(before);
    while (next && next->pend.kind != TSL_EV_AWAIT)
        next = tslrt_next_live(next);
    return next;
}

void tslrt_await_update(void) {
    for (tslrt_fiber *fiber = NULL; (fiber = next_awaiting(fiber));)
        tslrt_set_enabled(fiber, tslrt_can_run(fiber));
}

bool tslrt_await_unexplained(void) {
    bool any = false;
    for (tslrt_fiber *fiber = NULL; (fiber = next_awaiting(fiber));)
        if (await_over(fiber) && !is_explained(fiber)) {
            fiber->spun->goes_on = any = true;
            tslrt_set_enabled(fiber, true);
        }
    return any;
}

bool tslrt_await_any_over(void) {
    if (RUN->count.awaiting == 0)
        return false;
    for (const tslrt_fiber *fiber = NULL; (fiber = next_awaiting(fiber));)
        if (await_over(fiber))
            return true;
    return false;
}

void tslrt_end_if_spinning(void) {
    const tslrt_fiber *fiber = RUN->count.awaiting ? next_awaiting(NULL) : NULL;
    if (fiber)
        tslrt_end(TSL_OUT_LIVELOCK, fiber->pend.site, fiber->pend.object,
                  "the loop goes on for ever: nobody can change what it reads");
}
