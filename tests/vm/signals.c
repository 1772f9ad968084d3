// When does a signal that threads send each other arrive, and what does its handler do?
//
// The rules are those of src/rt/sync/signals.c:
//
//   * Sending sets the signal flag of the thread.  If the thread blocks the signal, it pends
//     instead.
//   * A thread that does not block the signal looks at its flag before each of its steps; this look
//     is a step of its own.
//   * A signal may arrive late, so if the flag is set it is a choice whether the handler runs now.
//     But the signal arrives before the thread ends.  A signal that was put off arrives when a
//     system call returns, unless that call blocks the signal: then it pends.
//   * A step that may have to wait looks once more.  If there is a signal by then, the step does
//     not wait: it is taken if that is possible; if not, the handler runs and the thread comes to
//     the step again.  A timed wait that finds nothing ends by its time or by the handler.
//   * While the handler runs, the signal is blocked.
#include <errno.h>

#include "abi/conflict.h"
#include "vm/doing.h"

// ---------------------------------------------------------------- rules

static bool is_blocked(const tsl_vm_thread *t) {
    return t->signal & (TSL_VM_SIG_BLOCKED | TSL_VM_SIG_HANDLED);
}

static bool is_interruptible(const tsl_vm_machine *m, unsigned t) {
    return m->program->kills && m->threads[t].phase == TSL_VM_AT_CODE &&
           !is_blocked(&m->threads[t]);
}

bool tsl_vm_only_tests(const tsl_vm_machine *m, unsigned t) {
    return is_interruptible(m, t) && !(m->threads[t].signal & TSL_VM_SIG_LOOKED);
}

static bool may_wait(unsigned op) {
    return op == TSL_VM_LOCK || op == TSL_VM_RDLOCK || op == TSL_VM_WRLOCK ||
           op == TSL_VM_SEMWAIT || op == TSL_VM_JOIN || op == TSL_VM_PAUSE;
}

static bool is_timed(const tsl_vm_machine *m, unsigned t) {
    return tsl_vm_current(m, t)->op == TSL_VM_SEMTIMEDWAIT;
}

bool tsl_vm_tests(const tsl_vm_machine *m, unsigned t) {
    return is_interruptible(m, t) && !tsl_vm_only_tests(m, t) && !tsl_vm_at_end(m, t) &&
           (may_wait(tsl_vm_current(m, t)->op) || is_timed(m, t));
}

bool tsl_vm_may_be_cut_short(const tsl_vm_machine *m, unsigned t) {
    return tsl_vm_tests(m, t) && is_timed(m, t) && tsl_vm_was_sent(m, t) &&
           !m->sems[tsl_vm_current(m, t)->obj];
}

bool tsl_vm_was_sent(const tsl_vm_machine *m, unsigned t) {
    return m->threads[t].signal & TSL_VM_SIG_SENT;
}

unsigned tsl_vm_signal_choices(const tsl_vm_machine *m, unsigned t) {
    const unsigned put_off = TSL_VM_SIG_ENTERED | TSL_VM_SIG_PUT_OFF;
    bool has_come =
        tsl_vm_at_end(m, t) || tsl_vm_at_exit(m, t) || (m->threads[t].signal & put_off) == put_off;
    return tsl_vm_was_sent(m, t) && !has_come ? 2 : 1;
}

// ---------------------------------------------------------------- what steps do

static void also(tsl_vm_doing *d, uint64_t addr, unsigned kind, unsigned res) {
    tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t), addr, kind | res << 8);
}

static uint64_t pending_of(const tsl_vm_machine *m, unsigned t) {
    return tsl_vm_object(TSL_VM_AT_PENDING, tsl_vm_number(m, t));
}

// The handler runs, and then the thread comes to the place where it is now.
static void handle(tsl_vm_doing *d) {
    const tsl_vm_code *code = &d->m->program->threads[d->t];
    unsigned pc = 0;
    while (pc < code->len && code->ins[pc].op != TSL_VM_HANDLER)
        pc++;
    d->self->resume = d->self->pc;
    d->self->signal |= TSL_VM_SIG_HANDLED;
    tsl_vm_go_on_at(d, pc + 1);
}

static void take(tsl_vm_doing *d) {
    d->self->signal &= (uint8_t) ~(TSL_VM_SIG_SENT | TSL_VM_SIG_PUT_OFF);
    handle(d);
}

// A signal that came while it was blocked.
static bool take_pending(tsl_vm_doing *d) {
    if (!(d->self->signal & TSL_VM_SIG_PENDS))
        return false;
    also(d, pending_of(d->m, d->t), TSL_EV_SEM_TRYWAIT, 0);
    d->self->signal &= (uint8_t)~TSL_VM_SIG_PENDS;
    return true;
}

void tsl_vm_do_kill(tsl_vm_doing *d) {
    tsl_vm_thread *target = &d->m->threads[d->ins->obj];
    tsl_vm_result(d, tsl_vm_number(d->m, d->ins->obj));
    also(d, TSL_VM_AT_MASKS, TSL_EV_SEM_GET, 0);
    if (is_blocked(target)) {
        also(d, pending_of(d->m, d->ins->obj), TSL_EV_SEM_POST,
             target->signal & TSL_VM_SIG_PENDS ? EOVERFLOW : 0);
        target->signal |= TSL_VM_SIG_PENDS;
        tsl_vm_result(d, tsl_vm_number(d->m, d->ins->obj) | TSL_KILL_PENDS);
    } else
        target->signal |= TSL_VM_SIG_SENT;
    tsl_vm_advance(d, 0);
}

void tsl_vm_do_test(tsl_vm_doing *d) {
    unsigned n = tsl_vm_signal_choices(d->m, d->t);
    d->self->signal = (uint8_t)((d->self->signal | TSL_VM_SIG_LOOKED) &
                                ~(TSL_VM_SIG_ENTERED | TSL_VM_SIG_PUT_OFF));
    if (!tsl_vm_was_sent(d->m, d->t))
        return;
    if (n > 1)
        tsl_vm_choice(d, n);
    tsl_vm_result(d, TSL_REQUEST_SEEN | (d->choice ? 0 : TSL_SIGNAL_TAKEN));
    if (d->choice == 0)
        take(d);
    else
        d->self->signal |= TSL_VM_SIG_PUT_OFF;
}

// In a program with timed waits, calls do not go on after a handler.
static bool cuts_short(tsl_vm_doing *d, uint64_t flag) {
    bool cut = false;
    if (tsl_vm_may_be_cut_short(d->m, d->t)) {
        tsl_vm_choice(d, 2);
        cut = d->choice == 1;
    }
    also(d, flag, TSL_EV_TESTSIGNAL, TSL_REQUEST_TRIED | (cut ? TSL_SIGNAL_TAKEN : 0));
    if (!cut)
        return false;
    tsl_vm_result(d, EINTR);
    tsl_vm_set(d, d->ins->reg, (tsl_vm_value){EINTR, 0});
    d->self->pc++;
    take(d);
    return true;
}

bool tsl_vm_is_interrupted(tsl_vm_doing *d) {
    if (!tsl_vm_tests(d->m, d->t))
        return false;
    uint64_t flag = TSL_OBJECT_SIGNAL + tsl_vm_number(d->m, d->t);
    if (!tsl_vm_was_sent(d->m, d->t)) {
        also(d, flag, TSL_EV_TESTSIGNAL, TSL_REQUEST_NONE);
        return false;
    }
    if (is_timed(d->m, d->t))
        return cuts_short(d, flag);
    if (tsl_vm_can_return(d->m, d->t)) {
        also(d, flag, TSL_EV_TESTSIGNAL, TSL_REQUEST_SEEN);
        return false;
    }
    also(d, flag, TSL_EV_TESTSIGNAL, TSL_REQUEST_ONLY | TSL_SIGNAL_TAKEN);
    unsigned op = d->ins->op;
    tsl_vm_result(d, op == TSL_VM_SEMWAIT ? EAGAIN : op == TSL_VM_PAUSE ? 0 : EBUSY);
    d->self->pc = (uint8_t)(d->self->pc + (op == TSL_VM_PAUSE)); // which has ended with it
    take(d);
    return true;
}

// A signal that was on its way when its thread began to block it.
static void pend_sent(tsl_vm_doing *d) {
    tsl_vm_thread *self = d->self;
    if (!(self->signal & TSL_VM_SIG_SENT))
        return;
    also(d, TSL_OBJECT_SIGNAL + tsl_vm_number(d->m, d->t), TSL_EV_TESTSIGNAL,
         TSL_REQUEST_SEEN | TSL_SIGNAL_TAKEN);
    also(d, pending_of(d->m, d->t), TSL_EV_SEM_POST,
         self->signal & TSL_VM_SIG_PENDS ? EOVERFLOW : 0);
    self->signal &= (uint8_t) ~(TSL_VM_SIG_SENT | TSL_VM_SIG_PUT_OFF);
    self->signal |= TSL_VM_SIG_PENDS;
}

void tsl_vm_do_sigmask(tsl_vm_doing *d) {
    d->self->signal |= TSL_VM_SIG_ENTERED;
    if (d->ins->v) {
        d->self->signal |= TSL_VM_SIG_BLOCKED;
        pend_sent(d);
        tsl_vm_advance(d, 0);
        return;
    }
    d->self->signal &= (uint8_t)~TSL_VM_SIG_BLOCKED;
    if (!is_blocked(d->self) && take_pending(d)) {
        d->self->pc++;
        handle(d);
    } else
        tsl_vm_advance(d, 0);
}

void tsl_vm_do_sigwait(tsl_vm_doing *d) {
    d->self->signal |= TSL_VM_SIG_ENTERED;
    d->self->signal &= (uint8_t)~TSL_VM_SIG_PENDS;
    tsl_vm_advance(d, 0);
}

// A handler ends: the mask becomes what it was before.
void tsl_vm_do_return(tsl_vm_doing *d) {
    d->self->signal = (uint8_t)((d->self->signal | TSL_VM_SIG_ENTERED) & ~TSL_VM_SIG_HANDLED);
    d->self->pc = d->self->resume;
    if (!is_blocked(d->self) && take_pending(d))
        handle(d);
    else
        tsl_vm_go_on_at(d, d->self->pc);
}
