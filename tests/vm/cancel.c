// Which steps of a thread look for a request to cancel it?  The rules of src/rt/sync/cancel.c.
//
// A call at which a thread may be cancelled looks twice: when it is entered (a step of its own), and with the
// step that may have to wait.  If a request came in between, that step does not wait: it returns
// if it can, or is cancelled; where both are possible, which of the two is a choice.  While
// cancellation is asynchronous every step looks, and is not taken once there is a request.
#include "vm/effect.h"

bool tsl_vm_only_looks(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_thread *self = &m->threads[t];
    if (self->phase != TSL_VM_AT_CODE || tsl_vm_at_end(m, t) || !tsl_vm_cancellable(m, t))
        return false;
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
            return false;
        return (self->cancel & TSL_VM_ASYNCHRONOUS) || tsl_vm_only_looks(m, t) ||
               may_wait(tsl_vm_current(m, t)->op);
    case TSL_VM_WAITING:
    case TSL_VM_RELOCK:
        return true;
    default:
        return false;
    }
}
