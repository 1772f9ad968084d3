// Before which step does each thread stand, and can it run?  See machine.h.
#include "vm/machine.h"

#include <string.h>

#include "abi/conflict.h"
#include "base/err.h"
#include "base/hash.h"
#include "vm/effect.h"
#include "vm/wait.h"

// ---------------------------------------------------------------- pending

static uint64_t addr_of(const tsl_vm_machine *m, const tsl_vm_ins *ins) {
    switch (ins->op) {
    case TSL_VM_READAT:
    case TSL_VM_WRITEAT:
    case TSL_VM_READ:
    case TSL_VM_WRITE:
    case TSL_VM_VREAD:
    case TSL_VM_VWRITE:
    case TSL_VM_AREAD:
    case TSL_VM_AWRITE:
    case TSL_VM_RMW:
    case TSL_VM_XCHG:
    case TSL_VM_CAS:
    case TSL_VM_CASW:
        return tsl_vm_word_addr(ins->obj) + ins->off;
    case TSL_VM_LOCK:
    case TSL_VM_UNLOCK:
    case TSL_VM_TRYLOCK:
    case TSL_VM_TIMEDLOCK:
        return tsl_vm_object(TSL_VM_AT_MUTEX, ins->obj);
    case TSL_VM_WAIT:
    case TSL_VM_TIMEDWAIT:
    case TSL_VM_SIGNAL:
    case TSL_VM_BROADCAST:
        return tsl_vm_object(TSL_VM_AT_COND, ins->obj);
    case TSL_VM_SEMWAIT:
    case TSL_VM_SEMTRYWAIT:
    case TSL_VM_SEMTIMEDWAIT:
    case TSL_VM_SEMPOST:
    case TSL_VM_SEMGET:
        return tsl_vm_object(TSL_VM_AT_SEM, ins->obj);
    case TSL_VM_RDLOCK:
    case TSL_VM_WRLOCK:
    case TSL_VM_TRYRDLOCK:
    case TSL_VM_TRYWRLOCK:
    case TSL_VM_RWUNLOCK:
        return tsl_vm_object(TSL_VM_AT_RW, ins->obj);
    case TSL_VM_BARRIER:
        return tsl_vm_object(TSL_VM_AT_BARRIER, ins->obj);
    case TSL_VM_ONCE:
    case TSL_VM_ONCEDONE:
        return tsl_vm_object(TSL_VM_AT_ONCE, ins->obj);
    case TSL_VM_CREATE:
    case TSL_VM_JOIN:
    case TSL_VM_TRYJOIN:
        return tsl_vm_thread_addr(tsl_vm_number(m, ins->obj));
    case TSL_VM_CANCEL:
        return TSL_OBJECT_REQUEST + tsl_vm_number(m, ins->obj);
    case TSL_VM_KILL:
        return TSL_OBJECT_SIGNAL + tsl_vm_number(m, ins->obj);
    case TSL_VM_SIGMASK:
        return TSL_VM_AT_MASKS;
    default:
        return 0;
    }
}

static const uint8_t event_kinds[] = {
#define TSL_VM_OP(name, text, operands, event) TSL_EV_##event,
#include "vm/ops.def"
#undef TSL_VM_OP
};

static tsl_vm_step pending_init(const tsl_vm_machine *m) {
    unsigned i = m->threads[0].result;
    if (i < m->program->nsems)
        return (tsl_vm_step){.kind = TSL_EV_SEM_INIT, .addr = tsl_vm_object(TSL_VM_AT_SEM, i)};
    i -= m->program->nsems;
    return (tsl_vm_step){.kind = TSL_EV_BARRIER_INIT, .addr = tsl_vm_object(TSL_VM_AT_BARRIER, i)};
}

static tsl_vm_step pending_exit(const tsl_vm_machine *m, unsigned t) {
    switch (tsl_vm_exit_part(m, t)) {
    case TSL_VM_TAKES_EXIT_LOCK:
        return (tsl_vm_step){.kind = TSL_EV_LOCK, .addr = tsl_vm_exit_lock()};
    case TSL_VM_HANDLER_LOOKS:
        return (tsl_vm_step){.kind = TSL_EV_READ,
                             .arg = 3, // eight bytes
                             .site = tsl_vm_site(TSL_VM_THREADS, 0),
                             .addr = tsl_vm_word_addr(m->program->at_exit - 1u)};
    default:
        return (tsl_vm_step){.kind = TSL_EV_EXIT};
    }
}

// A call that does not wait, because of a request or a signal.
static unsigned never_waiting(const tsl_vm_machine *m, unsigned t, unsigned kind) {
    bool wanted = tsl_vm_requested(m, t) || (tsl_vm_tests(m, t) && tsl_vm_was_sent(m, t));
    switch (wanted ? tsl_vm_current(m, t)->op : TSL_VM_OP_COUNT) {
    case TSL_VM_SEMWAIT:
        return TSL_EV_SEM_TRYWAIT;
    case TSL_VM_JOIN:
        return TSL_EV_TRYJOIN;
    case TSL_VM_LOCK:
        return tsl_vm_requested(m, t) ? kind : TSL_EV_TRYLOCK;
    case TSL_VM_RDLOCK:
        return tsl_vm_requested(m, t) ? kind : TSL_EV_TRYRDLOCK;
    case TSL_VM_WRLOCK:
        return tsl_vm_requested(m, t) ? kind : TSL_EV_TRYWRLOCK;
    default:
        return kind;
    }
}

static tsl_vm_step pending_code(const tsl_vm_machine *m, unsigned t) {
    if (tsl_vm_only_tests(m, t))
        return (tsl_vm_step){.kind = TSL_EV_TESTSIGNAL,
                             .site = tsl_vm_site(t, m->threads[t].pc),
                             .addr = TSL_OBJECT_SIGNAL + tsl_vm_number(m, t)};
    if (tsl_vm_at_exit(m, t))
        return pending_exit(m, t);
    if (tsl_vm_only_looks(m, t))
        return (tsl_vm_step){.kind = TSL_EV_TESTCANCEL,
                             .site = tsl_vm_at_end(m, t) ? 0 : tsl_vm_site(t, m->threads[t].pc),
                             .addr = TSL_OBJECT_REQUEST + tsl_vm_number(m, t)};
    if (tsl_vm_at_end(m, t))
        return (tsl_vm_step){.kind = TSL_EV_END, .addr = tsl_vm_thread_addr(tsl_vm_number(m, t))};
    tsl_vm_ins ins = tsl_vm_resolved(m, t);
    tsl_vm_step p = {.kind = event_kinds[ins.op],
                     .site = tsl_vm_site(t, m->threads[t].pc),
                     .addr = addr_of(m, &ins)};
    p.kind = (uint8_t)never_waiting(m, t, p.kind);
    if (ins.op == TSL_VM_SIGWAIT)
        p.addr = tsl_vm_object(TSL_VM_AT_PENDING, tsl_vm_number(m, t));
    if (ins.size)
        p.arg = (uint8_t)__builtin_ctz(ins.size);
    if (tsl_is_atomic(p.kind) || p.kind == TSL_EV_FENCE)
        p.arg |= (uint8_t)(tsl_vm_order(&ins) << 4);
    return p;
}

static tsl_vm_step pending_step(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_thread *self = &m->threads[t];
    uint32_t site = tsl_vm_site(t, self->pc);
    switch (self->phase) {
    case TSL_VM_AT_START:
        return (tsl_vm_step){.kind = TSL_EV_START, .addr = tsl_vm_thread_addr(tsl_vm_number(m, t))};
    case TSL_VM_AT_INIT:
        return pending_init(m);
    case TSL_VM_AT_CODE:
        return pending_code(m, t);
    case TSL_VM_WAITING:
        return (tsl_vm_step){.kind = TSL_EV_WOKEN,
                             .site = site,
                             .addr = tsl_vm_object(TSL_VM_AT_COND, tsl_vm_current(m, t)->obj)};
    case TSL_VM_RELOCK:
        return (tsl_vm_step){.kind = tsl_vm_requested(m, t) ? TSL_EV_TRYLOCK : TSL_EV_LOCK,
                             .site = site,
                             .addr = tsl_vm_object(TSL_VM_AT_MUTEX, tsl_vm_current(m, t)->mutex)};
    case TSL_VM_RESIGNAL:
        return (tsl_vm_step){.kind = TSL_EV_SIGNAL,
                             .site = site,
                             .addr = tsl_vm_object(TSL_VM_AT_COND, tsl_vm_current(m, t)->obj)};
    case TSL_VM_AT_LEAVE:
        return (tsl_vm_step){.kind = TSL_EV_BARRIER_LEAVE,
                             .site = site,
                             .addr = tsl_vm_object(TSL_VM_AT_BARRIER, tsl_vm_current(m, t)->obj)};
    case TSL_VM_AT_RETURN:
        return (tsl_vm_step){.kind = TSL_EV_SIGMASK, .site = site, .addr = TSL_VM_AT_MASKS};
    case TSL_VM_AWAITS:
        return (tsl_vm_step){.kind = TSL_EV_AWAIT, .site = site, .addr = tsl_vm_awaited(m, t)};
    case TSL_VM_REJECTED:
        return (tsl_vm_step){
            .kind = TSL_EV_PAUSE, .site = site, .addr = tsl_vm_thread_addr(tsl_vm_number(m, t))};
    default:
        return (tsl_vm_step){.kind = TSL_EV_NONE};
    }
}

tsl_vm_step tsl_vm_pending(const tsl_vm_machine *m, unsigned t) {
    tsl_vm_step step = pending_step(m, t);
    step.looks = tsl_vm_looks(m, t);
    step.tests = tsl_vm_tests(m, t);
    return step;
}

// ---------------------------------------------------------------- enabled

static bool is_free_for(unsigned owner, unsigned t) { return owner == 0 || owner == t + 1; }

// EXIT itself is enabled when no other thread can go on; see refresh.
static bool can_exit(const tsl_vm_machine *m, unsigned t) {
    unsigned part = tsl_vm_exit_part(m, t);
    return part == TSL_VM_HANDLER_LOOKS || (part == TSL_VM_TAKES_EXIT_LOCK && !m->exit_owner);
}

static bool can_run_code(const tsl_vm_machine *m, unsigned t) {
    if (tsl_vm_at_exit(m, t))
        return can_exit(m, t);
    if (tsl_vm_at_end(m, t))
        return true;
    const tsl_vm_ins *ins = tsl_vm_current(m, t);
    switch (ins->op) {
    case TSL_VM_LOCK:
        return is_free_for(m->owner[ins->obj], t);
    case TSL_VM_RDLOCK:
        return is_free_for(m->writer[ins->obj], t);
    case TSL_VM_WRLOCK:
        return m->writer[ins->obj] == t + 1 ||
               (!m->writer[ins->obj] && !tsl_vm_readers(m, ins->obj));
    case TSL_VM_SEMWAIT:
        return m->sems[ins->obj] > 0;
    case TSL_VM_ONCE:
        return m->once[ins->obj] != TSL_VM_ONCE_RUNNING;
    case TSL_VM_JOIN:
        return m->threads[ins->obj].phase == TSL_VM_ENDED ||
               m->threads[ins->obj].phase == TSL_VM_UNBORN;
    case TSL_VM_PAUSE:
        return false;
    case TSL_VM_SIGWAIT:
        return m->threads[t].signal & TSL_VM_SIG_PENDS;
    default:
        return true;
    }
}

bool tsl_vm_can_return(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_thread *self = &m->threads[t];
    switch (self->phase) {
    case TSL_VM_AT_START:
    case TSL_VM_AT_INIT:
    case TSL_VM_RESIGNAL:
    case TSL_VM_AT_RETURN:
        return true;
    case TSL_VM_AT_CODE:
        return can_run_code(m, t);
    case TSL_VM_WAITING:
        return self->may_give_up;
    case TSL_VM_RELOCK:
        return m->owner[tsl_vm_current(m, t)->mutex] == 0;
    case TSL_VM_AT_LEAVE:
        return m->round[tsl_vm_current(m, t)->obj] > self->result;
    case TSL_VM_AWAITS:
        return m->spinning == TSL_VM_SPIN_GOES_ON && tsl_vm_saw_change(m, t);
    default:
        return false;
    }
}

// A request or a signal lets the thread go on in any case.
static bool can_run(const tsl_vm_machine *m, unsigned t) {
    return tsl_vm_only_tests(m, t) || (tsl_vm_tests(m, t) && tsl_vm_was_sent(m, t)) ||
           tsl_vm_can_return(m, t) || tsl_vm_only_looks(m, t) ||
           (tsl_vm_requested(m, t) && tsl_vm_looks(m, t));
}

static bool is_rejected(const tsl_vm_machine *m) {
    for (unsigned t = 0; t < m->program->nthreads; t++)
        if (m->threads[t].phase == TSL_VM_REJECTED)
            return true;
    return false;
}

// Are there threads that spin, and could one of them go on?
static bool any_spins(const tsl_vm_machine *m, bool and_could_go_on) {
    for (unsigned t = 0; t < m->program->nthreads; t++)
        if (m->threads[t].phase == TSL_VM_AWAITS && (!and_could_go_on || tsl_vm_saw_change(m, t)))
            return true;
    return false;
}

static void refresh(tsl_vm_machine *m, unsigned by, tsl_events *out) {
    unsigned now = 0, n = m->program->nthreads;
    for (unsigned t = 0; t < n; t++)
        now |= (unsigned)can_run(m, t) << t;
    bool spun = !now && any_spins(m, true);
    for (unsigned t = 0, none = !now; t < n && none && !spun; t++)
        now |= (unsigned)(m->threads[t].phase == TSL_VM_AT_CODE && tsl_vm_at_exit(m, t) &&
                          tsl_vm_exit_part(m, t) == TSL_VM_ENDS_PROCESS)
               << t;
    unsigned changed = now ^ m->enabled;
    for (unsigned t = 0; changed >> t; t++)
        if (changed >> t & 1)
            tsl_vm_note(out, now >> t & 1 ? TSL_EV_ENABLE : TSL_EV_DISABLE, tsl_vm_number(m, by), 0,
                        tsl_vm_number(m, t));
    m->enabled = (uint8_t)now;
    if (!now)
        m->outcome = spun                  ? TSL_OUT_SPUN
                     : is_rejected(m)      ? TSL_OUT_REJECTED
                     : any_spins(m, false) ? TSL_OUT_LIVELOCK
                                           : TSL_OUT_DEADLOCK;
}

// ---------------------------------------------------------------- the machine

static size_t bytes_of(const tsl_vm_machine *m) {
    return offsetof(tsl_vm_machine, symbols.nodes) + m->symbols.n * sizeof *m->symbols.nodes;
}

void tsl_vm_begin(tsl_vm_machine *m, const tsl_vm_program *program, bool spurious,
                  const tsl_vm_given *given, tsl_events *out) {
    m->symbols.n = 1;
    memset(m, 0, bytes_of(m));
    m->symbols.n = 1;
    m->program = program;
    m->spurious = spurious;
    if (given) {
        memcpy(m->inputs, given->inputs, sizeof m->inputs);
        m->symbols.follows = given->follows;
        m->symbols.max_branches = given->max_branches;
    }
    m->threads[0].phase = TSL_VM_AT_START;
    refresh(m, 0, out);
}

void tsl_vm_copy(tsl_vm_machine *to, const tsl_vm_machine *from) {
    memcpy(to, from, bytes_of(from));
}

unsigned tsl_vm_choices(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_ins *ins = tsl_vm_current(m, t);
    if (tsl_vm_only_tests(m, t))
        return tsl_vm_signal_choices(m, t);
    if (tsl_vm_only_looks(m, t))
        return 1;
    if (tsl_vm_may_be_cut_short(m, t))
        return 2;
    if (tsl_vm_requested(m, t) && tsl_vm_looks(m, t)) // to return, or to be cancelled
        return tsl_vm_can_return(m, t) ? 2 : 1;
    if (m->threads[t].phase == TSL_VM_RESIGNAL && tsl_vm_waiters(m, ins->obj))
        return tsl_vm_waiters(m, ins->obj);
    if (m->threads[t].phase != TSL_VM_AT_CODE || tsl_vm_at_end(m, t))
        return 1;
    unsigned n = ins->op == TSL_VM_CHOOSE   ? ins->v
                 : ins->op == TSL_VM_SIGNAL ? tsl_vm_waiters(m, ins->obj)
                 : ins->op == TSL_VM_CASW   ? 1u + tsl_vm_may_fail(m, ins)
                                            : 1;
    return n ? n : 1;
}

void tsl_vm_execute(tsl_vm_machine *m, unsigned t, unsigned choice, tsl_events *out) {
    TSL_BUG_ON(!tsl_vm_is_enabled(m, t) || m->outcome, "thread %u can't run", t);
    tsl_vm_step p = tsl_vm_pending(m, t);
    tsl_vec_push(out, (tsl_event){.kind = p.kind,
                                  .arg = p.arg,
                                  .site = p.site,
                                  .addr = p.addr & 0xffffffffffffull,
                                  .thread = (uint16_t)tsl_vm_number(m, t)});
    tsl_vm_effect(m, t, choice, out);
    if (!m->outcome)
        refresh(m, t, out);
}

void tsl_vm_note_pending(const tsl_vm_machine *m, tsl_events *out) {
    for (unsigned t = 0; t < m->program->nthreads; t++) {
        tsl_vm_step p = tsl_vm_pending(m, t);
        if (p.kind == TSL_EV_NONE)
            continue;
        tsl_vm_note(out, TSL_EV_PENDING, tsl_vm_number(m, t), p.addr,
                    (p.arg & 15u) | (p.looks ? TSL_PENDING_REQUEST : 0) |
                        (p.tests ? TSL_PENDING_SIGNAL : 0) |
                        (m->status && tsl_vm_is_enabled(m, t) ? TSL_PENDING_READY : 0));
        tsl_vec_last(out).arg = p.kind;
        tsl_vec_last(out).site = p.site;
    }
}

// Puts the meaning in place of each value that depends on inputs.
uint64_t tsl_vm_outline(const tsl_vm_machine *m) {
    uint64_t hash = tsl_hash(m->words, sizeof m->words);
    for (unsigned t = 0; t < TSL_VM_THREADS; t++)
        if (m->threads[t].phase == TSL_VM_ENDED)
            hash =
                tsl_hash_more(tsl_hash_u64(hash, t), m->threads[t].regs, sizeof m->threads[t].regs);
    return tsl_hash_u64(hash, m->outcome);
}

uint64_t tsl_vm_state(const tsl_vm_machine *m) {
    const tsl_vm_symbols *s = &m->symbols;
    uint64_t meanings[TSL_VM_NODES];
    tsl_vm_machine copy;
    memcpy(&copy, m, offsetof(tsl_vm_machine, spinning));
    if (s->n > 1)
        tsl_vm_meanings(s, meanings);
    for (unsigned t = 0; t < TSL_VM_THREADS; t++)
        for (unsigned r = 0; r < TSL_VM_REGS; r++)
            if (s->regs[t][r])
                copy.threads[t].regs[r] = meanings[s->regs[t][r]];
    uint64_t hash = 0;
    for (unsigned i = 0; i < TSL_VM_WORDS * 8; i++) {
        tsl_vm_shadow byte = s->words[i / 8][i % 8];
        if (!byte.label)
            continue;
        ((char *)copy.words)[i] = 0;
        hash = tsl_hash_u64(hash, meanings[byte.label] + ((uint64_t)byte.index << 8 | i));
    }
    const char *first = (const char *)copy.threads;
    return tsl_hash_more(hash, first, (size_t)((const char *)&copy.spinning - first));
}
