// A signal that another thread sends: when does the handler run?
//
// pthread_kill sets the signal flag of the receiving thread.  A thread is interruptible if the
// program sends signals between threads and there is a handler for a signal that the thread does
// not block.  Such a thread looks at its flag before each of its steps, which is a step of its own.
// A signal may arrive late, so if the flag is set, it is a choice whether the handler runs now or
// later.  A signal that was put off arrives when a system call returns, at the latest before the
// thread ends; if that call blocks the signal, the signal becomes pending.  A step that may have to
// wait looks at the flag once more:
//
//     no signal, or the step can be taken    the step is taken
//     else                                   the handler runs, then the thread tries the step again
//
// If a wait with a time limit finds a signal, but not what it waits for, it is a choice whether
// the signal or the time limit ends it.
//
// The mask of the handler applies while the handler runs.  Its return is a step, because it changes
// the mask.  tests/vm/signals.c has the same rules, and the oracles hold the search to them.
#include <signal.h>

#include "../crash.h"
#include "../notes.h"
#include "../quick.h"
#include "../sabotage.h"
#include "interrupt.h"
#include "objects.h"

static const void *flag_of(const tslrt_fiber *f) {
    return (const void *)(TSL_OBJECT_SIGNAL + (uintptr_t)f->id);
}

// Nobody can send a signal to the only thread.
bool tslrt_interruptible(const tslrt_fiber *f) {
    return tslrt->uses.sends && RUN->count.unjoined > 1 && (tslrt_reg()->handled & ~f->signal.mask);
}

// ---------------------------------------------------------------- steps that may wait

// The kind that a waiting step is recorded as when it is taken without waiting; NONE if unknown.
static unsigned try_kind(unsigned kind) {
    return kind == TSL_EV_PAUSE ? kind : tsl_trying_kind(kind);
}

// Of a wait that has no twin, the order of a signal and the step is not explored.
static void note_unknown(unsigned kind) {
    bool is_wait = !tsl_never_blocks(kind) && tsl_event_row_of(kind)->class_ == TSL_CLASS_SYNC;
    if (is_wait && !tsl_trying_kind(kind))
        tslrt_weaken(
            TSL_REASON_INTERRUPTION,
            "a thread that pthread_kill may interrupt waited for a condition, a barrier or a "
            "descriptor: not every place there was tried");
}

void tslrt_interrupt_waits(unsigned kind) {
    if (tslrt_interruptible(SELF))
        note_unknown(kind);
}

unsigned tslrt_interrupt_kind(unsigned kind) {
    bool sent = SELF->interrupt.sent && try_kind(kind) && tslrt_interruptible(SELF);
    return sent ? try_kind(kind) : kind;
}

bool tslrt_interrupts_wait(const tslrt_fiber *f) {
    return tslrt_interruptible(f) && (f->wait.timed || try_kind(f->pend.kind) != TSL_EV_NONE);
}

// The step that was just recorded has looked at the signal flag, too.
void tslrt_interrupt_seen(unsigned kind) {
    if (try_kind(kind) && tslrt_interruptible(SELF))
        tslrt_also(TSL_EV_TESTSIGNAL, flag_of(SELF),
                   SELF->interrupt.sent ? TSL_REQUEST_SEEN : TSL_REQUEST_NONE, 0);
}

// ---------------------------------------------------------------- delivery

static void deliver(void) {
    for (uint64_t left = SELF->interrupt.sent; left; left &= left - 1) {
        int sig = __builtin_ctzll(left) + 1;
        tslrt_sent sent;
        SELF->interrupt.sent &= ~(1ull << (sig - 1));
        while (tslrt_sent_take(SELF, sig, &sent))
            tslrt_signal_act_on(&sent);
        tslrt_signal_act_on(&sent);
    }
}

static bool restarts(uint64_t signals) {
    bool all = true;
    for (; signals; signals &= signals - 1)
        all &= (tslrt_reg()->signal_actions[__builtin_ctzll(signals) + 1].flags & SA_RESTART) != 0;
    return all;
}

// The timed wait that was just recorded has looked at the signal flag, too.  If the wait found
// nothing, it ended by its time limit or by a signal, whose handler then runs here.  If the handler
// has SA_RESTART, this would be no different from a signal before the call, and is not tried.
bool tslrt_interrupt_timed(bool found) {
    if (!tslrt_interruptible(SELF) || TSLRT_BROKEN(TIMED_WAIT))
        return false;
    uint64_t signals = SELF->interrupt.sent;
    bool cut = signals && !found && !restarts(signals) && tslrt_choose(2) == 1;
    tslrt_also(TSL_EV_TESTSIGNAL, flag_of(SELF),
               (signals ? TSL_REQUEST_TRIED : TSL_REQUEST_NONE) | (cut ? TSL_SIGNAL_TAKEN : 0), 0);
    if (!cut)
        return false;
    tslrt_result(EINTR);
    SELF->interrupt.puts_off = false;
    deliver();
    return true;
}

static bool enters_kernel(unsigned kind) {
    return tsl_event_row_of(kind)->enters == TSL_ENTERS_KERNEL;
}

// `kind` is NONE at the end of the thread.
void tslrt_interrupt_look(unsigned kind) {
    tslrt_fiber *self = SELF;
    if (kind == TSL_EV_TESTSIGNAL || kind == TSL_EV_END || self->exclusive)
        return;
    uint32_t site = TSL_HOT->call_site;
    bool ends = kind == TSL_EV_NONE || kind == TSL_EV_EXIT, slept = self->pend.kind == TSL_EV_SLEEP;
    while (tslrt_interruptible(self)) {
        bool has_come = ends || (self->interrupt.puts_off && enters_kernel(self->pend.kind));
        self->interrupt.puts_off = false;
        TSL_HOT->call_site = site;
        tslrt_op(TSL_EV_TESTSIGNAL, flag_of(self));
        if (!self->interrupt.sent)
            break;
        bool later = !has_come && tslrt_choose(2) == 1;
        tslrt_result(TSL_REQUEST_SEEN | (later ? 0 : TSL_SIGNAL_TAKEN));
        self->interrupt.puts_off = later;
        if (later)
            break;
        if (slept)
            tslrt_weaken(
                TSL_REASON_INTERRUPTION,
                "a signal came when its thread had slept: that it ends the sleep was not tried");
        deliver();
    }
    if (kind == TSL_EV_PAUSE && !self->signal.suspended) // a signal before the call does not end it
        self->interrupt.handled = false;
    TSL_HOT->call_site = site;
}

static unsigned refusal(unsigned kind) {
    return kind == TSL_EV_SEM_WAIT ? EAGAIN : kind == TSL_EV_PAUSE ? 0 : EBUSY;
}

// The thread can't take its step, and has a signal: the handler runs.
void tslrt_interrupt(void) {
    tslrt_fiber *self = SELF;
    pending kept = self->pend, *outer = self->interrupt.kept;
    unsigned kind = try_kind(kept.kind);
    bool at_cancel_point = self->cancel.at_point;
    if (kind) {
        tslrt_record_arg(kind, kept.object, tslrt_object_of(kept.kind), kept.site);
        tslrt_result(refusal(kept.kind));
        tslrt_also(TSL_EV_TESTSIGNAL, flag_of(self), TSL_REQUEST_ONLY | TSL_SIGNAL_TAKEN, 0);
    } else {
        note_unknown(kept.kind);
        tslrt_record(TSL_EV_TESTSIGNAL, flag_of(self), kept.site);
        tslrt_result(TSL_REQUEST_ONLY | TSL_SIGNAL_TAKEN);
    }
    self->interrupt.kept = &kept;
    self->interrupt.puts_off = self->cancel.at_point = false;
    bool goes_on = restarts(self->interrupt.sent);
    deliver();
    if (kind && kept.kind != TSL_EV_PAUSE)
        tslrt_interrupt_look(kept.kind);
    self->interrupt.kept = outer;
    self->cancel.at_point = at_cancel_point;
    self->pend = kept;
    self->interrupt.refused =
        self->io.wait ? self->io.wait->ends || !goes_on
                      : kept.kind == TSL_EV_SEM_WAIT && !tslrt_is_signal(kept.object) && !goes_on;
}

// The mask of the thread has just changed.  Signals that were on their way and are blocked now have
// not arrived: they become pending.
void tslrt_interrupt_blocked(void) {
    uint64_t left = SELF->interrupt.sent & SELF->signal.mask;
    if (!left || TSLRT_BROKEN(SENT_THEN_BLOCKED))
        return;
    SELF->interrupt.sent &= ~left;
    SELF->interrupt.puts_off = false;
    tslrt_also(TSL_EV_TESTSIGNAL, flag_of(SELF), TSL_REQUEST_SEEN | TSL_SIGNAL_TAKEN, 0);
    for (; left; left &= left - 1)
        tslrt_signal_pends(SELF, __builtin_ctzll(left) + 1);
}

// ---------------------------------------------------------------- sending

// Sets the flag of a thread that does not block the signal.
static void send(tslrt_fiber *f, int sig) {
    void (*handler)(int) = tslrt_reg()->signal_actions[sig].handler;
    tslrt_sent now = tslrt_sent_now(sig);
    if (handler == SIG_DFL && f->state == FIBER_LIVE)
        tslrt_signal_act_on(&now); // ends the process, or does nothing
    else if (handler == SIG_DFL)
        tslrt_weaken(TSL_REASON_INTERRUPTION,
                     "pthread_kill of a thread that has ended: whether it could "
                     "have ended the process before that was not tried");
    if ((uintptr_t)handler <= 1 || f->state != FIBER_LIVE)
        return;
    if (f->interrupt.sent & ~(1ull << (sig - 1)))
        tslrt_weaken(TSL_REASON_INTERRUPTION,
                     "two different signals were on their way to a thread: they "
                     "arrive together, and the lower number first");
    tslrt_sent_note(f, sig);
    f->interrupt.sent |= 1ull << (sig - 1);
    tslrt_set_enabled(f, tslrt_can_run(f));
}

int tslrt_signal_thread(tslrt_fiber *f, int sig) {
    if (!tslrt->uses.sends) { // earlier steps did not look at their signal flags
        tslrt_weaken(
            TSL_REASON_INTERRUPTION,
            "a signal is sent to another thread by code that is not instrumented, or by kill");
        tslrt->uses.sends = RUN->has_async = RUN->uneven = true;
        tslrt_recording_update();
    }
    tslrt_op(TSL_EV_KILL, flag_of(f));
    bool handled = (uintptr_t)tslrt_reg()->signal_actions[sig].handler > 1;
    tslrt_result(f->id | (handled && !tslrt_signal_is_blocked(f, sig) ? 0 : TSL_KILL_PENDS));
    tslrt_signal_reads_masks();
    if (tslrt_signal_is_blocked(f, sig)) {
        tslrt_sent_note(f, sig);
        tslrt_signal_pends(f, sig);
    } else
        send(f, sig);
    return 0;
}
