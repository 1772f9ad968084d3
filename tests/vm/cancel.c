// Which steps of a thread look for a request to cancel it?
//
// The rules are those of src/rt/sync/cancel.c.  A call at which a thread may be cancelled looks
// twice: when it is entered, which is a step of its own, and with the step that may have to wait.
// If a request came in between, that step does not wait: it returns if it can, or is cancelled; if
// both are possible, it is a choice.  While cancellation is asynchronous, every step looks, and is
// not taken once there is a request.  The thread then also looks before it ends, and before it
// stops being cancelled asynchronously.
#include <errno.h>

#include "abi/conflict.h"
#include "vm/doing.h"

bool tsl_vm_only_looks(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_thread *self = &m->threads[t];
    if (self->phase != TSL_VM_AT_CODE || !tsl_vm_cancellable(m, t))
        return false;
    if (tsl_vm_at_end(m, t))
        return t && (self->cancel & TSL_VM_ASYNCHRONOUS) && !self->entered;
    unsigned op = tsl_vm_current(m, t)->op;
    bool asks = op == TSL_VM_TESTCANCEL || op == TSL_VM_CANCELSTATE || op == TSL_VM_CANCELTYPE;
    bool struck = (self->cancel & TSL_VM_ASYNCHRONOUS) && (self->cancel & TSL_VM_ASKED);
    return asks || struck || (tsl_vm_is_cancellation_point(op) && !self->entered);
}

// Joining the queue of a condition does not wait.
static bool may_wait(unsigned op) {
    return tsl_vm_is_cancellation_point(op) && op != TSL_VM_WAIT && op != TSL_VM_TIMEDWAIT;
}

bool tsl_vm_looks(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_thread *self = &m->threads[t];
    if (!tsl_vm_cancellable(m, t))
        return false;
    switch (self->phase) {
    case TSL_VM_AT_CODE:
        if (tsl_vm_at_end(m, t))
            return tsl_vm_only_looks(m, t);
        return (self->cancel & TSL_VM_ASYNCHRONOUS) || tsl_vm_only_looks(m, t) ||
               may_wait(tsl_vm_current(m, t)->op);
    case TSL_VM_WAITING:
    case TSL_VM_RELOCK:
        return true;
    default:
        return false;
    }
}

// ---------------------------------------------------------------- what a look does

static void look(tsl_vm_doing *d, enum tsl_request seen) {
    tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                TSL_OBJECT_REQUEST + tsl_vm_number(d->m, d->t),
                TSL_EV_TESTCANCEL | (unsigned)seen << 8);
}

// The cancelled thread goes on at its next handler, or ends.
void tsl_vm_clean_up(tsl_vm_doing *d) {
    const tsl_vm_code *code = &d->m->program->threads[d->t];
    unsigned pc = d->self->pc;
    d->self->cancel |= TSL_VM_CANCELLED;
    while (pc < code->len && code->ins[pc].op != TSL_VM_CLEANUP)
        pc++;
    if (pc < code->len)
        tsl_vm_set(d, code->ins[pc].reg, (tsl_vm_value){1, 0});
    tsl_vm_go_on_at(d, pc + 1);
}

// An access that does not take place is recorded as it would have been, but races with nothing.
static void note_undone(tsl_vm_doing *d) {
    const tsl_vm_ins *ins = d->ins;
    if (!ins->size)
        return;
    bool reads = ins->op == TSL_VM_READ || ins->op == TSL_VM_VREAD || ins->op == TSL_VM_AREAD ||
                 ins->op == TSL_VM_READAT;
    tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                tsl_vm_word_addr(ins->obj) + ins->off, reads ? TSL_EV_AREAD : TSL_EV_AWRITE);
    tsl_vec_last(d->out).arg = (uint8_t)__builtin_ctz(ins->size) & 15;
}

void tsl_vm_do_look(tsl_vm_doing *d) {
    bool sets = d->ins->op == TSL_VM_CANCELSTATE || d->ins->op == TSL_VM_CANCELTYPE,
         asks = sets || d->ins->op == TSL_VM_TESTCANCEL;
    if (tsl_vm_requested(d->m, d->t)) {
        tsl_vm_result(d, TSL_REQUEST_SEEN);
        note_undone(d);
        tsl_vm_clean_up(d);
    } else if (asks) {
        if (sets)
            tsl_vm_set_cancellation(d, d->ins);
        tsl_vm_advance(d, 0);
    } else
        d->self->entered = 1;
}

// A waiter is cancelled after a signal has chosen it: it takes the mutex first, and the signal goes
// to another waiter.
static void cancel_relock(tsl_vm_doing *d, bool can_return) {
    d->self->cancel |= TSL_VM_CANCELLED;
    if (can_return)
        tsl_vm_take_mutex(d, d->ins->mutex, 0);
    else
        tsl_vm_result(d, EBUSY);
    d->self->result = can_return;
    if (d->self->signalled)
        d->self->phase = TSL_VM_RESIGNAL;
    else if (can_return)
        tsl_vm_clean_up(d);
}

void tsl_vm_do_resignal(tsl_vm_doing *d) {
    bool has_mutex = d->self->result;
    tsl_vm_do_signal(d);
    d->self->phase = TSL_VM_RELOCK;
    if (has_mutex)
        tsl_vm_clean_up(d);
}

// A step that does not wait because of a request, and is cancelled.
static void cancel(tsl_vm_doing *d, bool can_return) {
    switch (d->self->phase) {
    case TSL_VM_RELOCK:
        cancel_relock(d, can_return);
        return;
    case TSL_VM_WAITING:
        tsl_vm_do_woken(d);
        tsl_vm_result(d, ECANCELED);
        d->self->cancel |= TSL_VM_CANCELLED;
        return;
    default:
        break;
    }
    if (d->ins->op == TSL_VM_SEMWAIT)
        tsl_vm_result(d, can_return ? TSL_RES_CANCELLED : EAGAIN);
    if (d->ins->op == TSL_VM_JOIN)
        tsl_vm_result(d, can_return ? TSL_RES_CANCELLED : EBUSY);
    tsl_vm_clean_up(d);
}

// Returns false if the thread goes on as if there were no request.
bool tsl_vm_is_cancelled(tsl_vm_doing *d) {
    bool can_return = tsl_vm_can_return(d->m, d->t);
    if (tsl_vm_only_looks(d->m, d->t) || !tsl_vm_looks(d->m, d->t))
        return false;
    if (!tsl_vm_requested(d->m, d->t)) {
        look(d, TSL_REQUEST_NONE);
        return false;
    }
    look(d, can_return ? TSL_REQUEST_SEEN : TSL_REQUEST_ONLY);
    if (can_return)
        tsl_vm_choice(d, 2);
    if (can_return && d->choice == 0)
        return false;
    cancel(d, can_return);
    return true;
}
