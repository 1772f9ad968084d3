// Blocked signals: the masks of threads, and which thread takes a pending signal.
//
// The kernel sees all threads of the program as one, so the mask of each thread is kept here.  A
// signal that its receiver blocks is pending: on a thread (pthread_kill, raise), or on the process
// (kill), until the first thread unblocks it or waits for it.  In events, each pending signal is a
// semaphore:
//
//     kill, pthread_kill   sem-post on the signal; it fails if the signal is already pending or is
//                          delivered at once
//     sigwait and its like sem-wait on the signal
//     unblocking           signal-mask, and a sem-trywait on each signal that is delivered then
//
// All masks are one object: sending reads it, and two threads that change their own masks commute.
// A thread that waits for one of several signals takes a signal-wait step on that object, because
// only the runtime knows when that step is enabled.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../crash.h"
#include "../libc/time.h"
#include "../notes.h"
#include "../print.h"
#include "../quick.h"
#include "../sys.h"
#include "objects.h"
#include "signals.h"

static uint64_t bit(int sig) { return 1ull << (sig - 1); }

static const uint64_t never_blocked = 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1);

static uint64_t bits_of(const sigset_t *set) { return *(const uint64_t *)set; }

// The object that stands in events for a signal pending on a thread, or on the process (NULL).
static const void *object_of(const tslrt_fiber *thread, int sig) {
    uintptr_t row = thread ? thread->id + 1ul : 0;
    return (const void *)(TSL_SIGNAL_ADDR + row * TSL_SIGNAL_STRIDE + (uintptr_t)sig);
}

static const void *masks(void) { return object_of(NULL, 0); }

static void set_pending(tslrt_fiber *thread, int sig, bool is) {
    uint64_t *set = thread ? &thread->signal.pending : &RUN->signal.pending;
    *set = is ? *set | bit(sig) : *set & ~bit(sig);
}

// ---------------------------------------------------------------- waiting

bool tslrt_is_signal(const void *object) {
    return (uintptr_t)object - TSL_SIGNAL_ADDR < TSL_SIGNAL_SIZE;
}

bool tslrt_signal_waits_no_more(const tslrt_fiber *fiber) {
    return (fiber->signal.pending | RUN->signal.pending) & fiber->signal.awaited;
}

static void tell_waiters(void) {
    for (tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (f != SELF && f->signal.awaited && tslrt_is_signal(f->pend.object))
            tslrt_set_enabled(f, tslrt_can_run(f));
}

typedef struct found {
    tslrt_fiber *on; // NULL: the process
    int sig;         // 0: none
} found;

// In the kernel's order: signals of the thread first, then those of the process, by number.
static found look_for(uint64_t set) {
    uint64_t own = SELF->signal.pending & set, common = RUN->signal.pending & set;
    if (own)
        return (found){SELF, __builtin_ctzll(own) + 1};
    return (found){NULL, common ? __builtin_ctzll(common) + 1 : 0};
}

// Does a wait for these signals concern more than one object: several signals, or both sides (the
// thread and the process) that a signal may be pending on?
static bool is_wide(uint64_t set) {
    return (set & (set - 1)) != 0 || (tslrt->uses.kills && tslrt->uses.kills_itself);
}

static const void *awaited_object(uint64_t set) {
    if (is_wide(set) || !set)
        return masks();
    return object_of(tslrt->uses.kills ? SELF : NULL, __builtin_ctzll(set) + 1);
}

static unsigned await_kind(uint64_t set, bool timed) {
    return is_wide(set) || !set ? (timed ? TSL_EV_SIGTRYWAIT : TSL_EV_SIGWAIT)
           : timed              ? TSL_EV_SEM_TRYWAIT
                                : TSL_EV_SEM_WAIT;
}

// The running thread takes the signal.  It stays pending if another one is queued behind it.
static void unpend(found taken, tslrt_sent *sent) {
    if (!tslrt_sent_take(taken.on, taken.sig, sent))
        set_pending(taken.on, taken.sig, false);
}

static int take(uint64_t set, unsigned kind, uint32_t site, bool looks, tslrt_sent *sent) {
    found taken = look_for(set);
    const void *object = awaited_object(set);
    tslrt_record_arg(kind, object, looks ? TSL_ARG_LOOKS : 0, site);
    tslrt_result(taken.sig ? 0 : EAGAIN);
    if (!taken.sig)
        return 0;
    if (object == masks())
        tslrt_also(TSL_EV_SEM_TRYWAIT, object_of(taken.on, taken.sig), 0, 0);
    unpend(taken, sent);
    tell_waiters();
    return taken.sig;
}

// Returns the signal, or 0 if none came in time.
static int await_signal(uint64_t set, bool timed, tslrt_sent *sent) {
    tslrt_fiber *self = SELF;
    uint32_t site = TSL_HOT->call_site;
    tslrt_cancel_point();
    tslrt_take_site();
    unsigned kind = await_kind(set, timed);
    self->signal.awaited = set;
    tslrt_cancellable_block(kind, awaited_object(set), site);
    bool looks = self->cancel.at_point;
    self->cancel.at_point = false;
    bool requested = looks && tslrt_cancel_wanted(self), any = tslrt_signal_waits_no_more(self);
    self->signal.awaited = 0;
    if (!requested)
        return take(set, kind, site, looks, sent);
    if (any || timed) {
        int got = take(set, await_kind(set, true), site, false, sent);
        if (!tslrt_cancel_chosen(true, timed ? TSL_REQUEST_TRIED : TSL_REQUEST_SEEN))
            return got;
        tslrt_unwind(PTHREAD_CANCELED);
    }
    tslrt_record(await_kind(set, true), self->pend.object, site);
    tslrt_result(EAGAIN);
    tslrt_cancel_chosen(false, TSL_REQUEST_SEEN);
    tslrt_unwind(PTHREAD_CANCELED);
}

API int sigwait(const sigset_t *set, int *sig) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_reads_first(set, sizeof(uint64_t));
    uint64_t wanted = bits_of(set) & ~never_blocked;
    tslrt_sent sent;
    int got = await_signal(wanted, false, &sent);
    TSL_HOT->call_site = site;
    tslrt_writes(sig, sizeof *sig);
    *sig = got;
    return 0;
}

static int wait_for_info(const sigset_t *set, siginfo_t *info, bool timed) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_reads_first(set, sizeof(uint64_t));
    uint64_t wanted = bits_of(set) & ~never_blocked;
    tslrt_interrupt_waits(TSL_EV_SIGWAIT); // a signal would make it fail with EINTR
    tslrt_sent sent;
    int got = await_signal(wanted, timed, &sent);
    if (!got)
        return tslrt_fail(EAGAIN);
    if (info) {
        TSL_HOT->call_site = site;
        tslrt_writes(info, sizeof *info);
        tslrt_sent_tell(&sent, info);
    }
    return got;
}

API int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    return wait_for_info(set, info, false);
}

API int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time) {
    if (time && (time->tv_nsec < 0 || time->tv_nsec >= 1000000000))
        return tslrt_fail(EINVAL);
    int got = wait_for_info(set, info, time != NULL);
    if (got < 0 && time)
        tslrt_clock_pass((uint64_t)time->tv_sec * 1000000000ull + (uint64_t)time->tv_nsec);
    return got;
}

// A signal came from outside that no thread can handle now: it is pending on the process.
void tslrt_signal_came(int sig) {
    set_pending(NULL, sig, true);
    tell_waiters();
    if (SELF->signal.awaited && tslrt_is_signal(SELF->pend.object))
        tslrt_set_enabled(SELF, tslrt_can_run(SELF));
}

// ---------------------------------------------------------------- masks

// The kernel is told to block the signals that every thread blocks.
static void tell_kernel(void) {
    uint64_t all = ~0ull;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        all &= f->signal.mask;
    all &= ~tslrt_signals_fatal;
    tslrt_reg_change(); // so that the next run begins with the original mask
    tslrt_sys4(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
}

void tslrt_signal_mask_of(tslrt_fiber *fiber, uint64_t mask) {
    fiber->signal.mask = mask & ~never_blocked;
    tell_kernel();
    if (tslrt->uses.sends)
        tslrt_recording_update();
}

// Pending signals that are no longer blocked are delivered before the call returns.
static void deliver_unblocked(void) {
    uint64_t left = ~SELF->signal.mask; // each once: a handler may send it again
    for (found f; (f = look_for(left)).sig;) {
        tslrt_sent sent;
        left &= tslrt_signal_queues(f.sig) ? left : ~bit(f.sig);
        tslrt_also(TSL_EV_SEM_TRYWAIT, object_of(f.on, f.sig), 0, 0);
        unpend(f, &sent);
        tslrt_signal_act_on(&sent);
    }
}

void tslrt_signal_set_mask(uint64_t mask, uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt_op(TSL_EV_SIGMASK, masks());
    SELF->signal.mask = mask & ~never_blocked;
    tell_kernel();
    tslrt_interrupt_blocked();
    deliver_unblocked();
    if (tslrt->uses.sends)
        tslrt_recording_update();
}

// A handler has returned, which restores the mask `before`.  That is a step only if it can be seen:
// by threads that send signals, or because a signal came that the handler blocked.
void tslrt_signal_handled(uint64_t before) {
    bool came = (SELF->signal.pending | RUN->signal.pending) & ~before;
    bool seen = came || (tslrt->uses.sends && RUN->count.unjoined > 1);
    if (seen)
        tslrt_op(TSL_EV_SIGMASK, masks());
    SELF->signal.mask = before;
    if (seen) {
        deliver_unblocked();
        tslrt_recording_update();
    }
}

static int change_mask(int how, const sigset_t *set, sigset_t *old) {
    uint32_t site = TSL_HOT->call_site;
    uint64_t now = SELF->signal.mask, with = 0;
    if (set) {
        tslrt_reads(set, sizeof with);
        with = bits_of(set);
    }
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (old) {
        TSL_HOT->call_site = site;
        tslrt_writes(old, sizeof now); // the system does not write the rest of the set either
        *(uint64_t *)old = now;
    }
    uint64_t mask = how == SIG_BLOCK ? now | with : how == SIG_UNBLOCK ? now & ~with : with;
    if (set && mask != now)
        tslrt_signal_set_mask(mask, site);
    tslrt_take_site();
    return 0;
}

API int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return change_mask(how, set, old);
}

API int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int error = change_mask(how, set, old);
    return error ? tslrt_fail(error) : 0;
}

API int sigpending(sigset_t *set) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_op(TSL_EV_SIGMASK, masks());
    uint64_t now = SELF->signal.pending | RUN->signal.pending;
    TSL_HOT->call_site = site;
    tslrt_writes(set, sizeof now);
    *(uint64_t *)set = now;
    return 0;
}

// A handler that runs while the call waits restores the mask from before the call when it returns,
// so that a signal which that mask blocks cannot come before the call itself returns.
bool tslrt_wait_begins(const uint64_t *mask, uint32_t site) {
    tslrt_fiber *self = SELF;
    self->interrupt.handled =
        false; // a signal that comes before the wait has begun does not end it
    if (!mask)
        return false;
    self->signal.suspended = true;
    self->signal.before = self->signal.mask;
    self->signal.swaps_mask = true;
    tslrt_signal_set_mask(*mask, site);
    return self->interrupt.handled;
}

void tslrt_wait_ends(uint32_t site) {
    tslrt_fiber *self = SELF;
    bool swaps = self->signal.swaps_mask;
    self->signal.suspended = self->signal.swaps_mask = false;
    if (swaps || self->signal.mask != self->signal.before)
        tslrt_signal_set_mask(self->signal.before, site);
    else
        tell_kernel(); // the handler of a signal from outside may have changed the kernel's mask
}

// A signal between the change of the mask and the wait is not lost: it ends the wait at once.
int tslrt_suspend(const uint64_t *mask, uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt_cancel_point();
    if (!tslrt_wait_begins(mask, site)) {
        TSL_HOT->call_site = site;
        tslrt_cancellable_op(TSL_EV_PAUSE, NULL);
    }
    if (mask)
        tslrt_wait_ends(site);
    return tslrt_fail(EINTR);
}

API int sigsuspend(const sigset_t *set) {
    tslrt_reads_first(set, sizeof(uint64_t));
    uint64_t mask = bits_of(set);
    return tslrt_suspend(&mask, TSL_HOT->call_site);
}

// ---------------------------------------------------------------- sending

bool tslrt_signal_is_blocked(const tslrt_fiber *fiber, int sig) {
    return fiber->signal.mask & bit(sig) & ~never_blocked;
}

void tslrt_signal_reads_masks(void) { tslrt_also(TSL_EV_SEM_GET, masks(), 0, 0); }

// The signal must be pending in the kernel, too, for a program that reads it from a descriptor.
static void make_pending(tslrt_fiber *thread, int sig) {
    set_pending(thread, sig, true);
    if (RUN->signal.fds & bit(sig))
        tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), sig);
    tell_waiters();
}

// The step that sends the signal was recorded, and the receiving thread blocks the signal.
void tslrt_signal_pends(tslrt_fiber *fiber, int sig) {
    bool again = fiber->signal.pending & bit(sig) && !tslrt_signal_queues(sig);
    tslrt_also(TSL_EV_SEM_POST, object_of(fiber, sig), again ? EOVERFLOW : 0, 0);
    make_pending(fiber, sig);
}

// The thread raises a signal that it blocks.
void tslrt_signal_to_self(int sig) {
    tslrt_op(TSL_EV_SEM_POST, object_of(SELF, sig));
    tslrt_signal_reads_masks();
    if (SELF->signal.pending & bit(sig) && !tslrt_signal_queues(sig))
        tslrt_result(EOVERFLOW);
    tslrt_sent_note(SELF, sig);
    make_pending(SELF, sig);
}

// Counts the other threads that do not block the signal, with `ended` also threads that have ended;
// the n-th of them is stored to `nth`.
static unsigned others(int sig, bool ended, tslrt_fiber **nth, unsigned n) {
    unsigned count = 0;
    for (tslrt_fiber *f = NULL; (f = tslrt_next(f));) {
        if (f == SELF || (f->state != FIBER_LIVE && !ended) || tslrt_signal_is_blocked(f, sig))
            continue;
        if (count++ == n)
            *nth = f;
    }
    return count;
}

// Another thread may take the signal.  This step is not ordered with the ends of those threads, so
// which of them are still there is not varied.
static void note_others(int sig) {
    tslrt_fiber *any;
    if (others(sig, true, &any, 0))
        tslrt_weaken(
            TSL_REASON_INTERRUPTION,
            "a signal was sent to the process while several threads could take it: not every "
            "thread and place was tried");
}

// The program sends a signal to its own process: the caller or another thread that does not block
// it gets the signal; if all block it, it is pending.  Which thread gets it does not matter if the
// signal ends the process or is ignored, nor if the caller is main, which the kernel prefers.
int tslrt_signal_process(int sig) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_op(TSL_EV_SEM_POST, object_of(NULL, sig));
    tslrt_also(TSL_EV_SEM_GET, masks(), 0, 0);
    tslrt_call_uses(TSL_STATE_SIGNALS, TSL_ROLE_READ);
    tslrt_fiber *to = SELF;
    unsigned own = !tslrt_signal_is_blocked(SELF, sig);
    bool handled = (uintptr_t)tslrt_reg()->signal_actions[sig].handler > 1,
         matters = !own || (handled && SELF->id != 0);
    unsigned n = own + (matters ? others(sig, false, &to, 0) : 0);
    if (matters)
        note_others(sig);
    if (n == 0 || (RUN->signal.pending & bit(sig))) {
        if (RUN->signal.pending & bit(sig) && !tslrt_signal_queues(sig))
            tslrt_result(EOVERFLOW);
        tslrt_sent_note(NULL, sig);
        make_pending(NULL, sig);
        return 0;
    }
    tslrt_result(EOVERFLOW);
    unsigned taken = n > 1 ? tslrt_choose(n) : 0;
    if (own && taken == 0)
        to = SELF;
    else
        others(sig, false, &to, taken - own);
    TSL_HOT->call_site = site;
    tslrt_sent now = tslrt_sent_now(sig);
    if (to == SELF)
        tslrt_signal_act_on(&now);
    else
        tslrt_signal_thread(to, sig);
    tslrt_take_site();
    return 0;
}

// ---------------------------------------------------------------- descriptors

// Signals pending here become pending in the kernel, too, which makes the descriptor readable.
API int signalfd(int fd, const sigset_t *set, int flags) {
    tslrt_reads(set, sizeof(uint64_t));
    uint64_t wanted = bits_of(set) & ~never_blocked;
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    for (uint64_t sent = (SELF->signal.pending | RUN->signal.pending) & wanted & ~RUN->signal.fds;
         sent; sent &= sent - 1)
        tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), __builtin_ctzll(sent) + 1);
    RUN->signal.fds |= wanted;
    return (int)tslrt_returned(tslrt_sys4(SYS_signalfd4, fd, &wanted, 8, flags));
}

// Signals of the program to itself carry its real process id; getpid tells the program another.
void tslrt_signalfd_read(int fd, struct signalfd_siginfo *signals, size_t size) {
    char link[32], name[32] = {0};
    tslrt_format(link, sizeof link, "/proc/self/fd/%d", fd);
    if (tslrt_sys4(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1) <= 0 ||
        strcmp(name, "anon_inode:[signalfd]") != 0)
        return;
    uint32_t self = (uint32_t)tslrt_sys0(SYS_getpid);
    for (size_t i = 0; i < size / sizeof *signals; i++)
        if (signals[i].ssi_pid == self)
            signals[i].ssi_pid = (uint32_t)getpid();
}

// ---------------------------------------------------------------- stacks

// The stack that a thread sets is remembered, but not used; the kernel knows only the stack that
// the runtime needs to report crashes (crash.c).
API int sigaltstack(const stack_t *new, stack_t *old) {
    tslrt_fiber *self = SELF; // NULL before main
    stack_t before = {.ss_flags = SS_DISABLE};
    if (self && self->signal.stack)
        before = (stack_t){.ss_sp = self->signal.stack, .ss_size = self->signal.stack_size};
    if (new) {
        tslrt_reads(new, sizeof *new);
        bool set = !(new->ss_flags &SS_DISABLE);
        if (new->ss_flags &(int)~(SS_DISABLE | 1u << 31)) // SS_AUTODISARM
            return tslrt_fail(EINVAL);
        if (set && new->ss_size < 2048) // the kernel's limit
            return tslrt_fail(ENOMEM);
        if (set)
            tslrt_say(
                "handlers of signals run on the stack of their thread, also with sigaltstack");
        if (self) {
            self->signal.stack = set ? new->ss_sp : NULL;
            self->signal.stack_size = new->ss_size;
        }
    }
    if (old) {
        tslrt_writes(old, sizeof *old);
        *old = before;
    }
    return 0;
}
