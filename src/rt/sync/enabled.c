// When can a thread take the step it stands before?  One rule per kind.
//
// Kinds without a rule are always enabled.  tests/e2e/surface holds each rule to POSIX's words.

#include "enabled.h"
#include "../await.h"
#include "objects.h"

static bool is_only_exit(const tslrt_fiber *fiber) {
    if (RUN->count.live <= 1)
        return true;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (f != fiber && f->pend.kind == TSL_EV_EXIT)
            return false;
    return true;
}

static inline bool can_return(const tslrt_fiber *fiber, unsigned kind) {
    if (tsl_never_blocks(kind))
        return true;
    const void *object = fiber->pend.object;
    if (kind == TSL_EV_LOCK) // the most frequent one
        return !tslrt_object_lives(object, TSL_SYNC_MUTEX) || tslrt_mutex_free_for(object, fiber);
    unsigned row = tslrt_object_of(kind);
    if (row && !tslrt_object_lives(object, row))
        return true; // the step ends the run with an error
    switch (kind) {
    case TSL_EV_SPINLOCK:
        return tslrt_spin_free_for(object, fiber);
    case TSL_EV_WOKEN:
        return fiber->wait.may_give_up;
    case TSL_EV_RDLOCK:
        return tslrt_rwlock_readable(object);
    case TSL_EV_WRLOCK:
        return tslrt_rwlock_writable(object);
    case TSL_EV_SEM_WAIT:
        if (tslrt_is_signal(object))
            return tslrt_signal_waits_no_more(fiber);
        return tslrt_sem_takes(object);
    case TSL_EV_BARRIER_LEAVE:
        return fiber->barrier.released;
    case TSL_EV_ONCE:
        return !tslrt_once_running(object);
    case TSL_EV_JOIN:
        return ((const tslrt_fiber *)object)->state == FIBER_ENDED;
    case TSL_EV_EXIT:
        return RUN->exit.running || (RUN->count.enabled == fiber->enabled && is_only_exit(fiber) &&
                                     !tslrt_await_any_over());
    case TSL_EV_AWAIT:
        return tslrt_await_enabled(fiber);
    case TSL_EV_FUTEX_RETURN:
        return !fiber->wait.futex || fiber->wait.may_give_up;
    case TSL_EV_IO:
    case TSL_EV_IO_READ:
    case TSL_EV_IO_WRITE:
        return tslrt_io_ready(fiber);
    case TSL_EV_SIGWAIT:
        return tslrt_signal_waits_no_more(fiber);
    case TSL_EV_PAUSE:
        return fiber->interrupt.handled;
    default:
        return true;
    }
}

bool tslrt_can_return(const tslrt_fiber *fiber, unsigned kind) { return can_return(fiber, kind); }

// A thread that was asked to cancel does not stay blocked at a cancellation point.
bool tslrt_can_run(const tslrt_fiber *fiber) {
    if (fiber->state != FIBER_LIVE)
        return false;
    if (RUN->exit.running && fiber != RUN->exit.fiber)
        return false;
    if (__builtin_expect(fiber->cancel.asked, 0) && tslrt_cancel_wanted(fiber) &&
        (fiber->cancel.at_point || fiber->cancel.async))
        return true;
    if (__builtin_expect(fiber->interrupt.sent != 0, 0) && fiber->pend.kind != TSL_EV_AWAIT &&
        fiber->pend.kind != TSL_EV_EXIT)
        return true;
    if (fiber->interrupt.refused)
        return true;
    return can_return(fiber, fiber->pend.kind);
}

bool tslrt_another_before(unsigned kind, const void *object) {
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (f != SELF && f->pend.kind == kind && f->pend.object == object)
            return true;
    return false;
}

// ---------------------------------------------------------------- locks held

bool tslrt_held_remove_inner(void *lock) {
    tslrt_fiber *self = SELF;
    for (unsigned i = self->locks.n; i-- > 0;)
        if (self->locks.held[i] == lock) {
            for (; i + 1u < self->locks.n; i++)
                self->locks.held[i] = self->locks.held[i + 1];
            self->locks.n--;
            return true;
        }
    if (!self->locks.lost)
        return false;
    self->locks.lost--;
    return true;
}

// The thread that forked holds its locks in the child, too.  But a lock in memory that both
// processes share exists only once, and the parent holds it.
void tslrt_locks_inherited(void) {
    for (unsigned i = 0; i < SELF->locks.n; i++) {
        void *held = SELF->locks.held[i], *lock = (void *)((uintptr_t)held & ~3ul);
        if (tslrt_is_shared(lock))
            continue;
        if (tslrt_held_is_mutex(held))
            tslrt_mutex_inherited(lock);
        else if (held == TSLRT_HELD_RW(lock))
            tslrt_rwlock_inherited(lock);
        else
            *(int *)lock = tslrt_name_of(SELF);
    }
}
