// Cancellation and clean-up handlers.
//
// In C, pthread_cleanup_push saves a jump buffer in its frame and registers it;
// unwinding jumps to the innermost one, which runs its handler and asks for the
// next.  When none is left the thread ends.
#include <setjmp.h>
#include <string.h>

#include "../notes.h"
#include "../quick.h"
#include "../sabotage.h"
#include "cancel.h"
#include "objects.h"

// The list is threaded through the private words of glibc's buffer.
#define NEXT(buf) ((buf)->__pad[0])

API void __pthread_register_cancel(__pthread_unwind_buf_t *buf) {
    NEXT(buf) = SELF->thread.cleanup;
    SELF->thread.cleanup = buf;
}

API void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf) {
    SELF->thread.cleanup = NEXT(buf);
}

static void set_asynchronous(bool on);

API void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf) {
    buf->__pad[1] = (void *)(uintptr_t)SELF->cancel.async;
    set_asynchronous(false);
    __pthread_register_cancel(buf);
}

API void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf) {
    set_asynchronous(buf->__pad[1] != NULL);
    __pthread_unregister_cancel(buf);
}

static noreturn void unwind_further(void) {
    tslrt_fiber *self = SELF;
    __pthread_unwind_buf_t *buf = self->thread.cleanup;
    if (!buf) {
        if (self->id == 0 && RUN->exit.caller == self) // exit was called meanwhile
            tslrt_exit_process(0, 0);
        tslrt_fiber_finish(self->thread.result);
    }
    self->thread.cleanup = NEXT(buf);
    longjmp((struct __jmp_buf_tag *)(void *)buf->__cancel_jmp_buf, 1);
}

API noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buf) {
    (void)buf;
    unwind_further();
}

noreturn void tslrt_unwind(void *result) {
    SELF->cancel.unwinding = true;
    SELF->cancel.disabled = true;
    SELF->signal.suspended = SELF->signal.swaps_mask = false;
    SELF->thread.result = result;
    if (SELF->cancel.async)
        tslrt_recording_update();
    unwind_further();
}

// ---------------------------------------------------------------- requests

static const void *request_of(const tslrt_fiber *f) {
    return (const void *)(TSL_OBJECT_REQUEST + (uintptr_t)f->id);
}

bool tslrt_cancellable(const tslrt_fiber *f) {
    return tslrt->uses.cancels && !f->cancel.disabled && !f->cancel.unwinding;
}

bool tslrt_cancel_wanted(const tslrt_fiber *f) { return f->cancel.asked && tslrt_cancellable(f); }

bool tslrt_cancel_strikes(const tslrt_fiber *f) {
    return f->cancel.async && !f->cancel.at_point && tslrt_cancel_wanted(f);
}

unsigned tslrt_looks(void) {
    return SELF->cancel.async && tslrt_cancellable(SELF) ? TSL_ARG_LOOKS : 0;
}

// ---------------------------------------------------------------- calls that may be cancelled

// A call looks for a request twice: when it is entered, and with the step that may wait.  A request
// that was made before the call is acted upon.  If the request comes during the call and the step
// can be taken, it is a choice whether the call returns or the thread is cancelled.
static void enter(bool must_act) {
    if (!tslrt_cancellable(SELF))
        return;
    tslrt_op(TSL_EV_TESTCANCEL, request_of(SELF));
    if (!tslrt_cancel_wanted(SELF))
        return;
    tslrt_result(TSL_REQUEST_SEEN);
    if (must_act || tslrt_choose(2) == 1)
        tslrt_unwind(PTHREAD_CANCELED);
}

static void look(void) {
    if (!TSLRT_BROKEN(CANCEL_POINT))
        enter(true);
}

void tslrt_cancel_point(void) {
    uint32_t site = TSL_HOT->call_site;
    look();
    TSL_HOT->call_site = site;
}

// POSIX lists functions that must act upon a request, and others that may: stdio, for instance,
// does so only when it happens to write.
void tslrt_cancel_point_of(const char *function) {
    static const char *const must[] = {
        "accept",    "aio_suspend",     "close",        "connect",  "creat",      "fcntl",
        "fdatasync", "fsync",           "getmsg",       "getpmsg",  "lockf",      "mq_receive",
        "mq_send",   "mq_timedreceive", "mq_timedsend", "msgrcv",   "msgsnd",     "msync",
        "open",      "openat",          "poll",         "pread",    "pselect",    "pwrite",
        "read",      "readv",           "recv",         "recvfrom", "recvmsg",    "select",
        "send",      "sendmsg",         "sendto",       "sigpause", "sigsuspend", "sigtimedwait",
        "sigwait",   "sigwaitinfo",     "system",       "tcdrain",  "thrd_sleep", "wait",
        "waitid",    "waitpid",         "write",        "writev",
    };
    bool required = false;
    for (size_t i = 0; i < sizeof must / sizeof *must && !required; i++)
        required = strcmp(must[i], function) == 0;
    enter(required);
}

static unsigned requested_kind(unsigned kind) {
    unsigned trying = tsl_trying_kind(kind);
    return trying ? trying : kind;
}

void tslrt_cancellable_block(unsigned kind, const void *object, uint32_t site) {
    SELF->cancel.at_point = tslrt_cancellable(SELF);
    SELF->filter.epoch++;
    if (SELF->cancel.at_point && SELF->cancel.asked)
        kind = requested_kind(kind);
    tslrt_block(kind, object, site);
}

bool tslrt_cancel_chosen(bool could_return, unsigned seen) {
    tslrt_also(TSL_EV_TESTCANCEL, request_of(SELF), could_return ? seen : TSL_REQUEST_ONLY, 0);
    return !could_return || tslrt_choose(2) == 1;
}

// The result of the step of a thread that is cancelled, where the step is one that never waits.
static unsigned refusal(unsigned kind) {
    unsigned waiting = tsl_waiting_kind(kind);
    if (!tsl_trying_kind(waiting))
        return 0;
    if (tslrt_can_return(SELF, waiting))
        return TSL_RES_CANCELLED;
    return waiting == TSL_EV_SEM_WAIT ? EAGAIN : EBUSY;
}

// The kind that a step is recorded as when a handler has ended its wait.
static unsigned refused_kind(unsigned kind) {
    bool channel = kind == TSL_EV_IO_READ || kind == TSL_EV_IO_WRITE;
    return channel ? TSL_EV_IO_TOUCH : kind == TSL_EV_IO ? kind : TSL_EV_SEM_TRYWAIT;
}

void tslrt_cancellable_op(unsigned kind, const void *object) {
    tslrt_fiber *self = SELF;
    if (kind == TSL_EV_JOIN && !tslrt->uses.cancels &&
        !tslrt->uses.sends) { // nothing can come in between
        tslrt_op(kind, object);
        return;
    }
    if (tslrt->uses.sends)
        tslrt_interrupt_look(kind);
    uint32_t site = tslrt_take_site();
    self->wait.timed = kind == TSL_EV_SEM_TRYWAIT;
    tslrt_cancellable_block(kind, object, site);
    self->wait.timed = false;
    if (self->interrupt.refused) { // the caller clears it
        tslrt_record_arg(refused_kind(kind), object, tslrt_object_of(kind), site);
        tslrt_result(EINTR);
        self->cancel.at_point = false;
        return;
    }
    bool looks = self->cancel.at_point, never_waits = requested_kind(kind) == kind;
    self->cancel.at_point = false;
    if (!looks || !tslrt_cancel_wanted(self)) {
        tslrt_record_arg(tslrt->uses.sends ? tslrt_interrupt_kind(kind) : kind, object,
                         tslrt_object_of(kind) | (looks ? TSL_ARG_LOOKS : 0), site);
        if (tslrt->uses.sends)
            tslrt_interrupt_seen(kind);
        return;
    }
    if (self->interrupt.sent)
        tslrt_weaken(TSL_REASON_INTERRUPTION, "a thread was cancelled and sent a signal at once");
    if (kind == TSL_EV_IO_READ || kind == TSL_EV_IO_WRITE || (kind == TSL_EV_IO && self->io.wait))
        tslrt_weaken(TSL_REASON_INTERRUPTION, "a thread was asked to cancel while it used a "
                                              "descriptor: not every order of that was tried");
    tslrt_record_arg(requested_kind(kind), object, tslrt_object_of(kind), site);
    if (!tslrt_cancel_chosen(tslrt_can_return(self, kind),
                             never_waits ? TSL_REQUEST_TRIED : TSL_REQUEST_SEEN))
        return;
    if (refusal(kind))
        tslrt_result(refusal(kind));
    tslrt_unwind(PTHREAD_CANCELED);
}

API void pthread_testcancel(void) {
    look();
    tslrt_take_site();
}

// A request is made.  It may change the kind of step the thread stands before, and enable it.
void tslrt_ask_to_cancel(tslrt_fiber *f) {
    f->cancel.asked = true;
    if (f == SELF || !tslrt_cancel_wanted(f))
        return;
    if (f->cancel.at_point)
        f->pend.kind = (uint8_t)requested_kind(f->pend.kind);
    tslrt_set_enabled(f, tslrt_can_run(f));
}

// ---------------------------------------------------------------- asynchronous

// The cancelled thread will not make the access it stood before.  The step is made to depend on
// whatever that access depends on, but as an atomic access, which is no data race.
static void note_undone(const pending *undone) {
    bool memory = tsl_is_plain(undone->kind) || tsl_is_atomic(undone->kind);
    if (memory && undone->size != TSL_ARG_RANGE)
        tslrt_also(tsl_is_load(undone->kind) ? TSL_EV_AREAD : TSL_EV_AWRITE, undone->object, 0,
                   undone->size);
    else if (undone->kind != TSL_EV_AWAIT && undone->kind != TSL_EV_TESTCANCEL)
        tslrt_weaken(TSL_REASON_INTERRUPTION,
                     "asynchronous cancellation struck inside a function that is not safe "
                     "for it: other places inside it were not tried");
}

// The thread was picked and finds a request that strikes at once: being cancelled is its step.
void tslrt_cancel_now(void) {
    tslrt_fiber *self = SELF;
    if (!tslrt_cancel_strikes(self))
        return;
    pending undone = self->pend;
    tslrt_record(TSL_EV_TESTCANCEL, request_of(self), undone.site);
    tslrt_result(TSL_REQUEST_SEEN);
    note_undone(&undone);
    tslrt_unwind(PTHREAD_CANCELED);
}

// A request may strike right after the last access before the thread ends or defers cancellation.
void tslrt_cancel_last_chance(void) {
    if (SELF->cancel.async && !TSLRT_BROKEN(LAST_CHANCE))
        enter(true);
}

// While cancellation is asynchronous, every access is shown to the runtime.
static void set_asynchronous(bool on) {
    if (!on)
        tslrt_cancel_last_chance();
    SELF->cancel.async = on;
    RUN->has_async |= on;
    RUN->uneven |= on;
    tslrt_recording_update();
}

void tslrt_cancel_defer(void) {
    if (SELF->cancel.async)
        set_asynchronous(false);
}

API int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old) {
        *old = SELF->cancel.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
        tslrt_wrote(old, sizeof *old);
    }
    if (state == PTHREAD_CANCEL_DISABLE)
        tslrt_cancel_last_chance();
    SELF->cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
    if (SELF->cancel.async) {
        set_asynchronous(true);
        look();
    }
    return 0;
}

API int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old) {
        *old = SELF->cancel.async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
        tslrt_wrote(old, sizeof *old);
    }
    set_asynchronous(type == PTHREAD_CANCEL_ASYNCHRONOUS);
    if (SELF->cancel.async)
        look();
    return 0;
}
