// Condition variables.
//
// A wait is two steps: WAIT releases the mutex and joins the queue; LOCK takes the mutex again once
// the thread was woken.  As long as no signal has woken it, a timed wait may give up and, with
// --spurious, any wait may end for no reason: that is a WOKEN step, followed by LOCK.  If several
// threads wait, it is a choice which of them a signal wakes.
//
// A request to cancel makes a waiter leave the queue (WOKEN).  If the waiter has been woken already
// and stands before LOCK, it may still be cancelled, as with glibc; then its signal is passed on to
// another waiter, if there is one.  The mutex is taken before clean-up handlers run.
#include <string.h>

#include "../libc/time.h"
#include "../notes.h"
#include "../quick.h"
#include "objects.h"

// Laid over pthread_cond_t.
typedef struct cond {
    uint32_t state; // 0, TSLRT_ALIVE or TSLRT_DESTROYED
    uint32_t clock;
} cond;

_Static_assert(sizeof(cond) <= sizeof(pthread_cond_t), "fits");

static void check_usable(const pthread_cond_t *c, const char *use) {
    uint32_t state = ((const cond *)c)->state;
    tslrt_check_state(c, state ? state : TSLRT_ALIVE, use, "on a condition variable");
}

// The n-th waiter in the order of arrival, from 0.
static tslrt_fiber *waiter(const pthread_cond_t *c, unsigned n) {
    tslrt_fiber *found = NULL;
    uint64_t after = 0;
    for (unsigned k = 0; k <= n; k++) {
        found = NULL;
        for (tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
            if (f->wait.cond == c && f->wait.ticket > after &&
                (!found || f->wait.ticket < found->wait.ticket))
                found = f;
        if (!found)
            return NULL;
        after = found->wait.ticket;
    }
    return found;
}

static unsigned count_waiters(const pthread_cond_t *c) {
    unsigned n = 0;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        n += f->wait.cond == c;
    return n;
}

static void wake(pthread_cond_t *c, tslrt_fiber *f) {
    bool requested = f->cancel.at_point && tslrt_cancel_wanted(f);
    pending *p =
        f->interrupt.kept && f->interrupt.kept->kind == TSL_EV_WOKEN ? f->interrupt.kept : &f->pend;
    f->wait.cond = NULL;
    p->kind = requested ? TSL_EV_TRYLOCK : TSL_EV_LOCK;
    p->object = f->wait.mutex;
    p->size = TSL_SYNC_MUTEX;
    tslrt_park(f, f->wait.mutex);
    tslrt_clock_give(&f->clock_ns);
    tslrt_woke(c, f);
}

static void signal_one(pthread_cond_t *c) {
    unsigned n = count_waiters(c);
    if (!n)
        return;
    tslrt_result(1);
    tslrt_fiber *f = waiter(c, n > 1 ? tslrt_choose(n) : 0);
    f->wait.signalled = true;
    wake(c, f);
    tslrt_set_enabled(f, tslrt_can_run(f));
}

static int take_again(pthread_mutex_t *m, uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt_op_on(TSL_EV_LOCK, m, TSL_SYNC_MUTEX);
    return tslrt_mutex_take(m);
}

// The thread was woken and stands before LOCK, and there is a request to cancel.
static int return_or_cancel(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site) {
    tslrt_fiber *self = SELF;
    bool is_free = !tslrt_object_lives(m, TSL_SYNC_MUTEX) || tslrt_mutex_free_for(m, self);
    tslrt_record_arg(TSL_EV_TRYLOCK, m, TSL_SYNC_MUTEX, site);
    tslrt_object_check(TSL_EV_TRYLOCK, m, TSL_SYNC_MUTEX, site);
    bool cancelled = tslrt_cancel_chosen(is_free, TSL_REQUEST_SEEN);
    tslrt_result(is_free ? 0 : EBUSY);
    int owner_died = is_free ? tslrt_mutex_take(m) : 0;
    if (!cancelled)
        return owner_died;
    self->cancel.disabled = true;
    if (self->wait.signalled) {
        TSL_HOT->call_site = site;
        tslrt_op_on(TSL_EV_SIGNAL, c, TSL_SYNC_COND);
        signal_one(c);
    }
    if (!is_free)
        take_again(m, site);
    tslrt_unwind(PTHREAD_CANCELED);
}

// The thread has left the queue and takes the mutex again.
static int lock_again(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site) {
    tslrt_fiber *self = SELF;
    bool looks = self->cancel.at_point;
    self->cancel.at_point = false;
    if (looks && tslrt_cancel_wanted(self))
        return return_or_cancel(c, m, site);
    tslrt_record_arg(TSL_EV_LOCK, m, TSL_SYNC_MUTEX | (looks ? TSL_ARG_LOOKS : 0), site);
    tslrt_object_check(TSL_EV_LOCK, m, TSL_SYNC_MUTEX, site);
    return tslrt_mutex_take(m);
}

// The wait ended without a signal: the thread gave up, woke for no reason, or is cancelled.
static int leave_queue(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site, int error) {
    tslrt_fiber *self = SELF;
    bool looks = self->cancel.at_point, requested = looks && tslrt_cancel_wanted(self);
    self->cancel.at_point = false;
    self->wait.cond = NULL;
    tslrt_record_arg(TSL_EV_WOKEN, c, TSL_SYNC_COND | (looks && !requested ? TSL_ARG_LOOKS : 0),
                     site);
    bool cancelled = requested && tslrt_cancel_chosen(self->wait.may_give_up, TSL_REQUEST_SEEN);
    tslrt_result(cancelled ? ECANCELED : (unsigned)error);
    if (cancelled) {
        self->cancel.disabled = true;
        take_again(m, site);
        tslrt_unwind(PTHREAD_CANCELED);
    }
    tslrt_cancellable_block(TSL_EV_LOCK, m, site);
    int owner_died = lock_again(c, m, site);
    return owner_died ? owner_died : error;
}

static int wait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                const struct timespec *until) {
    tslrt_fiber *self = SELF;
    uint32_t site = TSL_HOT->call_site;
    tslrt_cancel_point();
    tslrt_op_on(TSL_EV_WAIT, c, TSL_SYNC_COND);
    tslrt_object_check(TSL_EV_WAIT, m, TSL_SYNC_MUTEX, site);
    if (until)
        tslrt_heap_check_also((uintptr_t)until, sizeof *until, site, TSL_EV_READ);
    check_usable(c, "wait");
    int error = tslrt_mutex_check_held(m, "wait");
    if (!error && until && (until->tv_nsec < 0 || until->tv_nsec >= 1000000000))
        error = EINVAL;
    if (error)
        return tslrt_told(error);
    tslrt_object_check(TSL_EV_UNLOCK, m, TSL_SYNC_MUTEX, self->pend.site);
    tslrt_also(TSL_EV_UNLOCK, m, 0, TSL_SYNC_MUTEX);
    tslrt_mutex_drop(m);
    self->wait.cond = c;
    self->wait.mutex = m;
    self->wait.ticket = ++RUN->count.tickets;
    self->wait.may_give_up = until || (RUN->plan->flags & TSL_PLAN_SPURIOUS);
    self->wait.signalled = false;
    tslrt_cancellable_block(TSL_EV_WOKEN, c, site);
    if (self->wait.cond) {
        error = leave_queue(c, m, site, until ? ETIMEDOUT : 0);
        if (error == ETIMEDOUT)
            tslrt_clock_reached(clock, until);
        return error;
    }
    return lock_again(c, m, site);
}

API int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
    return wait(c, m, CLOCK_REALTIME, NULL);
}

API int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                               const struct timespec *until) {
    bool lives = tslrt_object_lives(c, TSL_SYNC_COND);
    return wait(c, m, lives ? (clockid_t)((const cond *)c)->clock : CLOCK_REALTIME, until);
}

API int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                               const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return wait(c, m, clock, until);
}

API int pthread_cond_signal(pthread_cond_t *c) {
    tslrt_op_on(TSL_EV_SIGNAL, c, TSL_SYNC_COND);
    check_usable(c, "signal");
    signal_one(c);
    return 0;
}

API int pthread_cond_broadcast(pthread_cond_t *c) {
    tslrt_op_on(TSL_EV_BROADCAST, c, TSL_SYNC_COND);
    check_usable(c, "broadcast");
    const tsl_event *first = TSL_HOT->cursor;
    unsigned woken = 0;
    for (tslrt_fiber *f; (f = waiter(c, 0)); woken++)
        wake(c, f);
    tslrt_result(woken);
    tslrt_enable_woken(first);
    return 0;
}

API int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr) {
    tslrt_reads_first(attr, sizeof *attr);
    tslrt_op_on(TSL_EV_COND_INIT, c, TSL_SYNC_COND);
    memset(c, 0, sizeof *c);
    *(cond *)c =
        (cond){.state = TSLRT_ALIVE, .clock = attr ? ((const tslrt_condattr *)attr)->clock : 0};
    tslrt_wrote(c, sizeof *c);
    return 0;
}

API int pthread_cond_destroy(pthread_cond_t *c) {
    tslrt_op_on(TSL_EV_COND_DESTROY, c, TSL_SYNC_COND);
    check_usable(c, "destroy");
    if (count_waiters(c))
        tslrt_misuse(c, "destroy of a condition variable that threads wait on");
    ((cond *)c)->state = TSLRT_DESTROYED;
    tslrt_wrote(c, sizeof *c);
    return 0;
}
