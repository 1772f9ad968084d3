// Threads: create, join, detach, exit.
//
// pthread_create makes a fiber that stands before START.  A join is enabled once its target
// has ended.  Timed joins never block: if they run before that, they give up.
#include <signal.h>
#include <string.h>

#include "../crash.h"
#include "../libc/time.h"
#include "../notes.h"
#include "../quick.h"
#include "../start.h"
#include "objects.h"
#include "thread.h"

static tslrt_fiber *fiber_of(pthread_t thread) {
    uintptr_t a = (uintptr_t)thread;
    bool inside = a >= TSL_FIBERS_ADDR && a < TSL_FIBERS_ADDR + TSL_MAX_THREADS * TSL_FIBER_STRIDE;
    if (!inside || (a - TSL_FIBERS_ADDR) % TSL_FIBER_STRIDE ||
        ((tslrt_fiber *)a)->state == FIBER_UNUSED)
        return NULL;
    return (tslrt_fiber *)a;
}

static noreturn void fiber_entry(void) {
    tslrt_fiber *self = SELF;
    self->thread.started = true;
    if (tslrt->area.used)
        tslrt_area_start();
    tslrt_record(TSL_EV_START, self, 0);
    if (self->thread.arg_label)
        tslrt_pass_label((const void *)self->thread.start, self->thread.arg_label);
    void *result = self->thread.start(self->thread.arg);
    if (tslrt->uses.sends)
        tslrt_interrupt_look(TSL_EV_NONE);
    self->thread.result_label = tslrt_take_label((const void *)self->thread.start);
    tslrt_fiber_finish(result);
}

// The end of a thread, however it got there: destructors of its keys, then END, which releases
// robust mutexes.  A thread that is cancelled in a destructor enters this function again.
noreturn void tslrt_fiber_finish(void *result) {
    tslrt_fiber *self = SELF;
    tslrt_run_key_destructors();
    tslrt_cancel_last_chance();
    self->cancel.disabled = true;
    TSL_HOT->call_site = 0;
    tslrt_exit_if_last();
    tslrt_ends();
    tslrt_op(TSL_EV_END, self);
    tslrt_release_robust();
    self->thread.result = result;
    self->state = FIBER_ENDED;
    RUN->count.live--;
    RUN->exit.nleaving -= RUN->exit.nleaving > 0;
    if (self->thread.has_joiner)
        tslrt_changed(self);
    tslrt_leave();
    __builtin_unreachable();
}

// ---------------------------------------------------------------- create and end

// Libraries skip their locks while this variable of glibc says that there is only one thread.
// Creating a thread clears it before the new thread can read it, so reads of it order nothing.
extern char __libc_single_threaded __attribute__((weak)); // since glibc 2.32

// The page is not marked as changed: copying it would cost every run more than this store.
void tslrt_single_threaded(bool single) {
    if (&__libc_single_threaded)
        __libc_single_threaded = single;
}

// There is no room for another thread.  If many are alive, most systems would refuse, too, so the
// program gets an error.  If most have ended, a system would not refuse, and what the program did
// after an error would be no finding: the run is given up.
static int refused(uint32_t site) {
    if (RUN->count.live < TSL_MAX_THREADS / 4)
        tslrt_give_up(site,
                      "too many threads in one run: numbers of ended ones are not used again");
    tslrt_say("more than %u threads in one run: pthread_create returned EAGAIN",
              TSL_MAX_THREADS / 2 - 1);
    tslrt_result(0);
    return EAGAIN;
}

API int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                       void *arg) {
    if (tslrt->kind == RT_EARLY) {
        tslrt_die("a thread was created before main: constructors can't create threads here");
    }
    uint32_t site = TSL_HOT->call_site;
    tslrt_reads_first(attr, sizeof *attr);
    tslrt_attr with = tslrt_attr_of(attr);
    if (with.guard_size > TSL_STACK_STRIDE)
        return EINVAL;
    uint32_t label = tslrt_arg_label((const void *)pthread_create, 3);
    tslrt_args_taken((const void *)pthread_create);
    tslrt_op(TSL_EV_CREATE, NULL);
    tslrt_access_check(thread, sizeof *thread, site, TSL_EV_WRITE);
    tslrt_fiber *f = tslrt_fiber_new(start, arg);
    if (!f)
        return refused(site);
    tslrt_foreign_starts((const void *)start, site);
    if (RUN->libc.aliased)
        tslrt_say_aliased();
    if (with.has_mask)
        tslrt_signal_mask_of(f, with.mask);
    tslrt_fiber_stack(f, with.stack_size);
    if (tslrt->area.used)
        tslrt_area_begin(f);
    f->context.sp = tslrt_fiber_prepare(f->stack.high, fiber_entry);
    f->context.low_mark = (uintptr_t)f->context.sp;
    f->thread.detached = with.detached == PTHREAD_CREATE_DETACHED;
    f->thread.arg_label = label;
    TSL_HOT->cursor[-1].addr = (uintptr_t)f & 0xffffffffffffull;
    tslrt_result(f->id);
    tslrt_also(TSL_EV_WRITE, thread, 0, 3);
    *thread = (pthread_t)f;
    tslrt_wrote(thread, sizeof *thread);
    tslrt_single_threaded(false);
    tslrt_recording_update();
    tslrt_created(f);
    return 0;
}

API void pthread_exit(void *result) {
    tslrt_cancel_last_chance();
    tslrt_unwind(result);
}

API pthread_t pthread_self(void) { return (pthread_t)SELF; }

API int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// ---------------------------------------------------------------- join and detach

static int reap(tslrt_fiber *f, void **result) {
    f->thread.joined = true;
    RUN->count.unjoined--;
    tslrt_clock_take(f->clock_ns);
    if (result) {
        tslrt_also_writes(result, 3);
        *result = f->thread.result;
        __teasel_sym_store_slow(result, sizeof *result, f->thread.result_label);
    }
    tslrt_recording_update();
    return 0;
}

// Joins look whether the thread is detached; in programs that detach threads, that is a step.
static void uses_detached(const tslrt_fiber *f, unsigned role) {
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_also(TSL_EV_STATE, &f->thread.detached, role, 0);
}

static int check_joinable(tslrt_fiber *f) {
    if (!f)
        return ESRCH;
    if (f == SELF)
        return EDEADLK;
    if (f->thread.joined)
        tslrt_misuse(f, "join of a thread that was joined already");
    return f->thread.detached ? EINVAL : 0;
}

static int try_join(pthread_t thread, void **result, int busy) {
    tslrt_fiber *f = fiber_of(thread);
    if (busy == EBUSY)
        tslrt_op(TSL_EV_TRYJOIN, f);
    else {
        tslrt_cancel_point();
        tslrt_cancellable_op(TSL_EV_TRYJOIN, f);
    }
    if (__builtin_expect(tslrt->uses.detaches, 0) && f)
        uses_detached(f, TSL_ROLE_READ);
    int error = check_joinable(f);
    if (!error)
        error = f->state == FIBER_ENDED ? reap(f, result) : busy;
    return tslrt_told(error);
}

API int pthread_join(pthread_t thread, void **result) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_cancel_point();
    tslrt_fiber *f = fiber_of(thread);
    if (__builtin_expect(tslrt->uses.detaches, 0) && f) {
        tslrt_call_step(site);
        uses_detached(f, TSL_ROLE_READ);
        TSL_HOT->call_site = site;
    }
    int error = check_joinable(f);
    if (error)
        return error;
    if (f->thread.has_joiner && tslrt_another_before(TSL_EV_JOIN, f))
        tslrt_misuse(f, "two threads join the same thread");
    f->thread.has_joiner = true;
    tslrt_cancellable_op(TSL_EV_JOIN, f);
    return reap(f, result);
}

API int pthread_tryjoin_np(pthread_t thread, void **result) {
    return try_join(thread, result, EBUSY);
}

static int timed_join(pthread_t thread, void **result, clockid_t clock,
                      const struct timespec *until) {
    if (!until)
        return pthread_join(thread, result);
    if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return EINVAL;
    int error = try_join(thread, result, ETIMEDOUT);
    if (error == ETIMEDOUT)
        tslrt_clock_reached(clock, until);
    return error;
}

API int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
    return timed_join(thread, result, CLOCK_REALTIME, until);
}

API int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                             const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return timed_join(thread, result, clock, until);
}

API int pthread_detach(pthread_t thread) {
    tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    if (!tslrt->uses.detaches) { // earlier joins did not look whether their thread is detached
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "pthread_detach is called from code that is not instrumented");
        tslrt->uses.detaches = true;
    }
    tslrt_op(TSL_EV_DETACH, f);
    uses_detached(f, TSL_ROLE_WRITE);
    if (f->thread.joined)
        tslrt_misuse(f, "detach of a thread that was joined already");
    if (f->thread.detached)
        return EINVAL;
    f->thread.detached = true;
    return 0;
}

// ---------------------------------------------------------------- other functions of a pthread_t

API int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) {
    const tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    pthread_attr_init(attr);
    tslrt_attr *of = (tslrt_attr *)attr;
    of->stack = (void *)f->stack.low;
    of->stack_size = f->stack.high - f->stack.low;
    of->detached = f->thread.detached;
    return 0;
}

API int pthread_setname_np(pthread_t thread, const char *name) {
    tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    if (strlen(name) > 15)
        return ERANGE;
    memset(f->thread.name, 0, sizeof f->thread.name);
    memcpy(f->thread.name, name, strlen(name));
    return 0;
}

API int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    const tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    if (size < sizeof f->thread.name)
        return ERANGE;
    memset(name, 0, sizeof f->thread.name);
    // As with libc, a thread starts with the program's name.
    strncpy(name, f->thread.name[0] ? f->thread.name : program_invocation_short_name,
            sizeof f->thread.name - 1);
    tslrt_wrote(name, sizeof f->thread.name);
    return 0;
}

API int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param) {
    tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    f->thread.policy = policy; // every order is tried, whatever the priorities
    f->thread.priority = param->sched_priority;
    return 0;
}

API int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param) {
    const tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    *policy = f->thread.policy;
    param->sched_priority = f->thread.priority;
    tslrt_wrote(policy, sizeof *policy);
    tslrt_wrote(param, sizeof *param);
    return 0;
}

API int pthread_setschedprio(pthread_t thread, int priority) {
    tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    f->thread.priority = priority;
    return 0;
}

API int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    (void)size;
    (void)set;
    return fiber_of(thread) ? 0 : ESRCH;
}

API int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
    memset(set, 0, size);
    *(uint8_t *)set = 1;
    tslrt_wrote(set, size);
    return fiber_of(thread) ? 0 : ESRCH;
}

// The id contains the thread's number, packed as the kernel does.  All threads share one CPU clock,
// but each has its own id for it.
API int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    enum { OF_THREAD = 4, SCHEDULED = 2 };
    const tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    *clock = (clockid_t)(~(unsigned)(getpid() + f->id) << 3 | OF_THREAD | SCHEDULED);
    tslrt_wrote(clock, sizeof *clock);
    return 0;
}

API int pthread_getconcurrency(void) {
    tslrt_state_step(TSL_STATE_PROCESS, TSL_ROLE_READ);
    return RUN->defaults.concurrency;
}

API int pthread_setconcurrency(int level) {
    if (level < 0)
        return EINVAL;
    tslrt_state_step(TSL_STATE_PROCESS, TSL_ROLE_WRITE);
    RUN->defaults.concurrency = level;
    return 0;
}

int tslrt_kill(pthread_t thread, int sig) {
    tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    if (sig < 0 || sig > 64)
        return EINVAL;
    if (sig == 0)
        return 0; // even if the thread has ended, as with glibc
    if (f == SELF)
        return tslrt_raise(sig);
    return tslrt_signal_thread(f, sig);
}

API int pthread_kill(pthread_t thread, int sig) {
    tslrt_sent_by(SI_TKILL, NULL);
    return tslrt_kill(thread, sig);
}

API int pthread_cancel(pthread_t thread) {
    tslrt_fiber *f = fiber_of(thread);
    if (!f)
        return ESRCH;
    if (!tslrt->uses.cancels) { // earlier cancellation points did not look for requests
        tslrt_weaken(TSL_REASON_INTERRUPTION,
                     "pthread_cancel is called from code that is not instrumented");
        tslrt->uses.cancels = true;
    }
    tslrt_op(TSL_EV_CANCEL, (const void *)(TSL_OBJECT_REQUEST + (uintptr_t)f->id));
    tslrt_result(f->id);
    if (f->state == FIBER_LIVE)
        tslrt_ask_to_cancel(f);
    if (f == SELF && f->cancel.async)
        tslrt_cancel_point();
    return 0;
}
