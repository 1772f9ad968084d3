// What do machine.c and effect.c share?  Where objects lie, and how the state is read.
#ifndef TSL_VM_EFFECT_H
#define TSL_VM_EFFECT_H

#include "vm/machine.h"

enum {
    TSL_VM_AT_MUTEX = 0x20000,
    TSL_VM_AT_COND = 0x30000,
    TSL_VM_AT_SEM = 0x40000,
    TSL_VM_AT_RW = 0x50000,
    TSL_VM_AT_BARRIER = 0x60000,
    TSL_VM_AT_ONCE = 0x70000,
    TSL_VM_AT_PENDING = 0x80000, // signals, by the number of their thread
    TSL_VM_AT_MASKS = 0x79000
};

enum { TSL_VM_ONCE_NEW, TSL_VM_ONCE_RUNNING, TSL_VM_ONCE_DONE };

static inline uint64_t tsl_vm_object(unsigned base, unsigned i) { return base + 0x40ull * i; }
static inline uint64_t tsl_vm_exit_lock(void) {
    return tsl_vm_object(TSL_VM_AT_MUTEX, TSL_VM_OBJECTS);
}

static inline unsigned tsl_vm_number(const tsl_vm_machine *m, unsigned t) {
    return m->program->threads[t].number;
}

// The instruction a thread stands before, or stands in the middle of.
static inline const tsl_vm_ins *tsl_vm_current(const tsl_vm_machine *m, unsigned t) {
    return &m->program->threads[t].ins[m->threads[t].pc];
}

// The same, with the word it accesses.  The thread is not at its end.
static inline tsl_vm_ins tsl_vm_resolved(const tsl_vm_machine *m, unsigned t) {
    tsl_vm_ins ins = *tsl_vm_current(m, t);
    if (ins.op == TSL_VM_READAT || ins.op == TSL_VM_WRITEAT)
        ins.obj = m->threads[t].regs[ins.reg2] % TSL_VM_WORDS;
    return ins;
}

static inline bool tsl_vm_at_end(const tsl_vm_machine *m, unsigned t) {
    return m->threads[t].pc >= m->program->threads[t].len;
}

// Does the thread end the process here: at the end of main, or by an instruction?  The thread must
// be at its code.  If there is a handler, the thread takes a lock that it keeps, then the handler
// looks at its word, then the process ends; `result` of the thread counts these steps.
static inline bool tsl_vm_at_exit(const tsl_vm_machine *m, unsigned t) {
    return tsl_vm_at_end(m, t) ? t == 0 : tsl_vm_current(m, t)->op == TSL_VM_EXIT;
}

enum { TSL_VM_TAKES_EXIT_LOCK, TSL_VM_HANDLER_LOOKS, TSL_VM_ENDS_PROCESS };

static inline unsigned tsl_vm_exit_part(const tsl_vm_machine *m, unsigned t) {
    return m->program->at_exit ? m->threads[t].result : TSL_VM_ENDS_PROCESS;
}

static inline unsigned tsl_vm_readers(const tsl_vm_machine *m, unsigned rw) {
    unsigned n = 0;
    for (unsigned t = 0; t < TSL_VM_THREADS; t++)
        n += m->reads[rw][t];
    return n;
}

static inline unsigned tsl_vm_waiters(const tsl_vm_machine *m, unsigned cond) {
    unsigned n = 0;
    while (n < TSL_VM_THREADS && m->queue[cond][n])
        n++;
    return n;
}

static inline void tsl_vm_note(tsl_events *out, unsigned kind, unsigned thread, uint64_t addr,
                               unsigned res) {
    tsl_vec_push(out, (tsl_event){.kind = kind & 255,
                                  .addr = addr & 0xffffffffffffull,
                                  .thread = (uint16_t)thread,
                                  .res = (uint16_t)res});
}

// ---------------------------------------------------------------- cancellation: cancel.c

// May the thread be cancelled at all?
static inline bool tsl_vm_cancellable(const tsl_vm_machine *m, unsigned t) {
    return m->program->cancels && !(m->threads[t].cancel & (TSL_VM_DISABLED | TSL_VM_CANCELLED));
}

// May the thread be cancelled, and was it asked to?
static inline bool tsl_vm_requested(const tsl_vm_machine *m, unsigned t) {
    return tsl_vm_cancellable(m, t) && (m->threads[t].cancel & TSL_VM_ASKED);
}

// Is it a call at which a request takes effect?
static inline bool tsl_vm_is_cancellation_point(unsigned op) {
    return op == TSL_VM_SEMWAIT || op == TSL_VM_JOIN || op == TSL_VM_WAIT ||
           op == TSL_VM_TIMEDWAIT || op == TSL_VM_SLEEP || op == TSL_VM_PAUSE;
}

// Does the pending step look at the request flag?
bool tsl_vm_looks(const tsl_vm_machine *m, unsigned t);
// Does the pending step do nothing else?  A step that is cancelled by its look does nothing else.
bool tsl_vm_only_looks(const tsl_vm_machine *m, unsigned t);
// Could the pending step run if there were no request?
bool tsl_vm_can_return(const tsl_vm_machine *m, unsigned t);

// ---------------------------------------------------------------- signals: signals.c

// Does the pending step look at the signal flag and do nothing else?  Or does it look because it
// may have to wait?
bool tsl_vm_only_tests(const tsl_vm_machine *m, unsigned t);
bool tsl_vm_tests(const tsl_vm_machine *m, unsigned t);
bool tsl_vm_was_sent(const tsl_vm_machine *m, unsigned t);
// Is it a timed wait that finds nothing, while there is a signal?  It may end by either.
bool tsl_vm_may_be_cut_short(const tsl_vm_machine *m, unsigned t);
unsigned tsl_vm_signal_choices(const tsl_vm_machine *m, unsigned t);

// The step of thread t takes effect; its event is the last of `out`.
void tsl_vm_effect(tsl_vm_machine *m, unsigned t, unsigned choice, tsl_events *out);

// Would the compare-and-swap succeed, and may it fail spuriously?
bool tsl_vm_may_fail(const tsl_vm_machine *m, const tsl_vm_ins *ins);

#endif
