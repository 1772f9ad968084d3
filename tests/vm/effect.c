// What does each step do to the state?  Each kind has a function; the rules are those of
// src/rt/sync.
//
// What POSIX leaves undefined (unlocking what is not held) does nothing and fails.
#include "abi/conflict.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "vm/doing.h"
#include "vm/stuck.h"
#include "vm/wait.h"

// ---------------------------------------------------------------- memory

static uint64_t cut(uint64_t value, unsigned size) {
    return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

// ---------------------------------------------------------------- what a step does

void tsl_vm_result(tsl_vm_doing *d, unsigned res) { d->out->data[d->at].res = (uint16_t)res; }

void tsl_vm_set(tsl_vm_doing *d, unsigned reg, tsl_vm_value v) {
    if (reg == TSL_VM_NO_REG)
        return;
    d->self->regs[reg] = v.x;
    d->m->symbols.regs[d->t][reg] = (uint16_t)v.label;
}

static tsl_vm_value get(const tsl_vm_doing *d, unsigned reg) {
    if (reg == TSL_VM_NO_REG)
        return (tsl_vm_value){0};
    return (tsl_vm_value){d->self->regs[reg], d->m->symbols.regs[d->t][reg]};
}

static void set_reg(tsl_vm_doing *d, uint64_t x) {
    tsl_vm_set(d, d->ins->reg, (tsl_vm_value){x, 0});
}

static tsl_vm_value sum(tsl_vm_doing *d, tsl_vm_value a, tsl_vm_value b) {
    return (tsl_vm_value){a.x + b.x,
                          tsl_vm_binary(&d->m->symbols, TSL_EXPR_ADD, a.label, a.x, b.label, b.x)};
}

static tsl_vm_value operand(tsl_vm_doing *d) {
    tsl_vm_value v = get(d, d->ins->reg);
    return d->ins->v ? sum(d, v, (tsl_vm_value){d->ins->v, 0}) : v;
}

// ---------------------------------------------------------------- between steps

static tsl_vm_place place(const tsl_vm_doing *d, unsigned pc) {
    return (tsl_vm_place){d->out, d->t, tsl_vm_number(d->m, d->t), tsl_vm_site(d->t, pc)};
}

// Does the condition hold?  Inputs may decide that.
static bool holds(tsl_vm_doing *d, unsigned pc, const tsl_vm_ins *ins) {
    tsl_vm_symbols *s = &d->m->symbols;
    bool less = ins->op == TSL_VM_SKIPLT || ins->op == TSL_VM_ASSUME;
    tsl_vm_value a = get(d, ins->reg), b = {ins->v, 0};
    if (ins->op == TSL_VM_SKIPSAME)
        b = get(d, ins->reg2);
    bool yes = less ? a.x < b.x : a.x == b.x;
    unsigned op = less ? TSL_EXPR_ULT : TSL_EXPR_EQ;
    uint32_t label = tsl_vm_binary(s, op, a.label, a.x, b.label, b.x);
    if (ins->op == TSL_VM_SKIPNE) {
        label = tsl_vm_unary(s, TSL_EXPR_NOT, 1, 0, label);
        yes = !yes;
    }
    tsl_vm_branch(s, place(d, pc), label, yes, 0);
    return yes;
}

static void take_input(tsl_vm_doing *d, unsigned reg) {
    unsigned index = d->m->symbols.asked[d->t]++;
    uint8_t byte = d->m->inputs[d->t][index];
    uint32_t label = tsl_vm_input(&d->m->symbols, tsl_vm_number(d->m, d->t), index, byte);
    tsl_vm_set(d, reg, (tsl_vm_value){byte % TSL_VM_INPUT_VALUES, label});
}

static void calculate(tsl_vm_doing *d, const tsl_vm_ins *ins) {
    tsl_vm_value a = get(d, ins->reg), b = get(d, ins->reg2), c = {ins->v, 0};
    tsl_vm_symbols *s = &d->m->symbols;
    if (ins->op == TSL_VM_ADD)
        a = sum(d, a, sum(d, b, c));
    else {
        tsl_vm_value x = {b.x ^ c.x, tsl_vm_binary(s, TSL_EXPR_XOR, b.label, b.x, 0, c.x)};
        a = (tsl_vm_value){a.x ^ x.x, tsl_vm_binary(s, TSL_EXPR_XOR, a.label, a.x, x.label, x.x)};
    }
    tsl_vm_set(d, ins->reg, a);
}

// The address is fixed from the moment when the thread stands before the access.
static void pin_address(tsl_vm_doing *d, unsigned pc, const tsl_vm_ins *ins) {
    tsl_vm_symbols *s = &d->m->symbols;
    tsl_vm_value index = get(d, ins->reg2);
    uint32_t low = tsl_vm_binary(s, TSL_EXPR_AND, index.label, 0, 0, TSL_VM_WORDS - 1);
    uint32_t offset = tsl_vm_binary(s, TSL_EXPR_MUL, low, 0, 0, 8);
    tsl_vm_pin(s, place(d, pc), tsl_vm_binary(s, TSL_EXPR_ADD, offset, 0, 0, tsl_vm_word_addr(0)));
}

void tsl_vm_set_cancellation(tsl_vm_doing *d, const tsl_vm_ins *ins) {
    unsigned bit = ins->op == TSL_VM_CANCELSTATE ? TSL_VM_DISABLED : TSL_VM_ASYNCHRONOUS;
    d->self->cancel = (uint8_t)(ins->v ? d->self->cancel | bit : d->self->cancel & ~bit);
}

// Changes how the thread can be cancelled.  A change that lets requests strike takes effect before
// the thread looks for one, any other change after that.  Must the thread look?
static bool change_cancellation(tsl_vm_doing *d, const tsl_vm_ins *ins) {
    bool lets_strike = (ins->op == TSL_VM_CANCELSTATE) != (ins->v != 0);
    if (lets_strike)
        tsl_vm_set_cancellation(d, ins);
    bool looks = tsl_vm_cancellable(d->m, d->t) && (d->self->cancel & TSL_VM_ASYNCHRONOUS);
    if (!looks)
        tsl_vm_set_cancellation(d, ins);
    return looks;
}

// Executes instructions that are no steps, up to the next one that is a step.
void tsl_vm_go_on_at(tsl_vm_doing *d, unsigned pc) {
    const tsl_vm_code *code = &d->m->program->threads[d->t];
    d->self->phase = TSL_VM_AT_CODE;
    d->self->result = d->self->entered = d->self->signalled = 0;
    d->self->signal &= (uint8_t)~TSL_VM_SIG_LOOKED;
    for (bool stands = false; pc < code->len; pc++) {
        const tsl_vm_ins *ins = &code->ins[pc];
        if (tsl_vm_begins_loop(code, pc))
            d->m->rounds[d->t] = (tsl_vm_round){0};
        switch (ins->op) {
        case TSL_VM_AGAIN:
        case TSL_VM_AGAINEQ:
            if ((get(d, ins->reg).x == ins->v) != (ins->op == TSL_VM_AGAINEQ) ||
                tsl_vm_loop_from(code, pc) < 0)
                break;
            stands = tsl_vm_waits(d->m, d->t);
            if (stands)
                d->self->phase = TSL_VM_AWAITS;
            else
                pc = (unsigned)tsl_vm_loop_from(code, pc) - 1;
            break;
        case TSL_VM_SKIPEQ:
        case TSL_VM_SKIPNE:
        case TSL_VM_SKIPLT:
        case TSL_VM_SKIPSAME:
            pc += holds(d, pc, ins) ? ins->u : 0;
            break;
        case TSL_VM_INPUT:
            take_input(d, ins->reg);
            break;
        case TSL_VM_ADD:
        case TSL_VM_XOR:
            calculate(d, ins);
            break;
        case TSL_VM_ASSUME:
            stands = !holds(d, pc, ins);
            d->self->phase = stands ? TSL_VM_REJECTED : TSL_VM_AT_CODE;
            break;
        case TSL_VM_TESTCANCEL:
            stands = tsl_vm_cancellable(d->m, d->t);
            break;
        case TSL_VM_CANCELSTATE:
        case TSL_VM_CANCELTYPE:
            stands = change_cancellation(d, ins);
            break;
        case TSL_VM_SIGMASK: // changes nothing: no step
            stands = !(d->self->signal & TSL_VM_SIG_BLOCKED) == (ins->v != 0);
            break;
        case TSL_VM_CLEANUP:
            tsl_vm_set(d, ins->reg, (tsl_vm_value){0});
            break;
        case TSL_VM_HANDLER:
            pc = code->len;
            break;
        case TSL_VM_READAT:
        case TSL_VM_WRITEAT:
            pin_address(d, pc, ins);
            stands = true;
            break;
        default:
            stands = true;
        }
        if (stands)
            break;
    }
    d->self->pc = (uint8_t)(pc < code->len ? pc : code->len);
    if (pc >= code->len && (d->self->signal & TSL_VM_SIG_HANDLED))
        d->self->phase = TSL_VM_AT_RETURN;
}

void tsl_vm_advance(tsl_vm_doing *d, unsigned skip) { tsl_vm_go_on_at(d, d->self->pc + 1u + skip); }

static void enter_code(tsl_vm_doing *d) { tsl_vm_go_on_at(d, 0); }

static void do_await(tsl_vm_doing *d) {
    const tsl_vm_code *code = &d->m->program->threads[d->t];
    tsl_vm_go_on_at(d, (unsigned)tsl_vm_loop_from(code, d->self->pc));
}

static void do_start(tsl_vm_doing *d) {
    if (d->t == 0 && d->m->program->nsems + d->m->program->nbarriers > 0)
        d->self->phase = TSL_VM_AT_INIT;
    else
        enter_code(d);
}

static void do_init(tsl_vm_doing *d) {
    const tsl_vm_program *p = d->m->program;
    unsigned i = d->self->result++;
    if (i < p->nsems) {
        d->m->sems[i] = p->sems[i];
        tsl_vm_result(d, p->sems[i]);
    }
    if (d->self->result == p->nsems + p->nbarriers)
        enter_code(d);
}

unsigned tsl_vm_take_mutex(tsl_vm_doing *d, unsigned mutex, unsigned otherwise) {
    uint8_t *owner = &d->m->owner[mutex];
    if (*owner) {
        tsl_vm_round_saw_taken(d->m, d->t, mutex);
        return otherwise;
    }
    *owner = (uint8_t)(d->t + 1);
    d->m->rounds[d->t].held |= (uint8_t)(1u << mutex);
    return 0;
}

static unsigned drop_mutex(tsl_vm_doing *d, unsigned mutex) {
    if (d->m->owner[mutex] != d->t + 1)
        return EPERM;
    d->m->owner[mutex] = 0;
    tsl_vm_round_unlocked(d->m, d->t, mutex);
    return 0;
}

// A waiter leaves the queue, whatever the reason.
static void unqueue(tsl_vm_machine *m, unsigned cond, unsigned place) {
    uint8_t *queue = m->queue[cond];
    for (; place + 1 < TSL_VM_THREADS; place++)
        queue[place] = queue[place + 1];
    queue[TSL_VM_THREADS - 1] = 0;
}

static void wake(tsl_vm_doing *d, unsigned place) {
    unsigned cond = d->ins->obj, t = d->m->queue[cond][place] - 1u;
    tsl_vm_thread *woken = &d->m->threads[t];
    tsl_vm_note(d->out, TSL_EV_WAKE, tsl_vm_number(d->m, d->t), 0, tsl_vm_number(d->m, t));
    tsl_vec_last(d->out).arg = (uint8_t)((woken->may_give_up || tsl_vm_requested(d->m, t)) |
                                         tsl_vm_cancellable(d->m, t) << 1);
    woken->phase = TSL_VM_RELOCK;
    woken->signalled = d->ins->op != TSL_VM_BROADCAST;
    woken->may_give_up = 0;
    woken->result = 0;
    unqueue(d->m, cond, place);
}

static void do_wait(tsl_vm_doing *d) {
    unsigned error = drop_mutex(d, d->ins->mutex);
    if (error) {
        tsl_vm_result(d, error);
        set_reg(d, error);
        tsl_vm_advance(d, 0);
        return;
    }
    tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                tsl_vm_object(TSL_VM_AT_MUTEX, d->ins->mutex), TSL_EV_UNLOCK);
    d->m->queue[d->ins->obj][tsl_vm_waiters(d->m, d->ins->obj)] = (uint8_t)(d->t + 1);
    d->self->phase = TSL_VM_WAITING;
    d->self->may_give_up = d->ins->op == TSL_VM_TIMEDWAIT || d->m->spurious;
}

void tsl_vm_do_woken(tsl_vm_doing *d) {
    for (unsigned i = 0; i < TSL_VM_THREADS; i++)
        if (d->m->queue[d->ins->obj][i] == d->t + 1) {
            unqueue(d->m, d->ins->obj, i);
            break;
        }
    unsigned error = d->ins->op == TSL_VM_TIMEDWAIT ? ETIMEDOUT : 0;
    tsl_vm_result(d, error);
    d->self->phase = TSL_VM_RELOCK;
    d->self->may_give_up = 0;
    d->self->result = (uint8_t)error;
}

static void do_relock(tsl_vm_doing *d) {
    tsl_vm_take_mutex(d, d->ins->mutex, 0);
    if (d->self->cancel & TSL_VM_CANCELLED) {
        tsl_vm_clean_up(d);
        return;
    }
    set_reg(d, d->self->result);
    tsl_vm_advance(d, 0);
}

void tsl_vm_choice(tsl_vm_doing *d, unsigned n) {
    TSL_BUG_ON(d->choice >= n, "alternative %u of %u", d->choice, n);
    tsl_vm_note(d->out, TSL_EV_CHOICE, tsl_vm_number(d->m, d->t), n, d->choice);
}

void tsl_vm_do_signal(tsl_vm_doing *d) {
    unsigned n = tsl_vm_waiters(d->m, d->ins->obj), woken = n;
    if (d->ins->op != TSL_VM_BROADCAST && n) {
        woken = 1;
        if (n > 1)
            tsl_vm_choice(d, n);
        wake(d, n > 1 ? d->choice : 0);
    } else
        for (unsigned i = 0; i < n; i++)
            wake(d, 0);
    tsl_vm_result(d, woken);
    if (d->self->phase == TSL_VM_AT_CODE)
        tsl_vm_advance(d, 0);
}

static unsigned take_read(tsl_vm_doing *d, unsigned otherwise) {
    if (d->m->writer[d->ins->obj])
        return otherwise;
    d->m->reads[d->ins->obj][d->t]++;
    return 0;
}

static unsigned take_write(tsl_vm_doing *d, unsigned otherwise) {
    if (d->m->writer[d->ins->obj] || tsl_vm_readers(d->m, d->ins->obj))
        return otherwise;
    d->m->writer[d->ins->obj] = (uint8_t)(d->t + 1);
    return 0;
}

static unsigned drop_rw(tsl_vm_doing *d) {
    uint8_t *writer = &d->m->writer[d->ins->obj], *reads = &d->m->reads[d->ins->obj][d->t];
    if (*writer == d->t + 1)
        *writer = 0;
    else if (*reads)
        --*reads;
    else
        return EPERM;
    return 0;
}

static void do_arrive(tsl_vm_doing *d) {
    unsigned b = d->ins->obj;
    d->self->phase = TSL_VM_AT_LEAVE;
    d->self->result = d->m->round[b];
    if (++d->m->arrived[b] == d->m->program->barriers[b]) {
        d->m->arrived[b] = 0;
        d->m->round[b]++;
        return;
    }
    tsl_vm_result(d, d->m->program->barriers[b] - (unsigned)d->m->arrived[b]);
}

// The first thread to leave a round is its serial thread.
static void do_leave(tsl_vm_doing *d) {
    unsigned b = d->ins->obj;
    uint32_t bit = 1u << (d->self->result & 31);
    bool first = !(d->m->serial[b] & bit);
    if (d->ins->reg != TSL_VM_NO_REG) {
        tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                    tsl_vm_object(TSL_VM_AT_BARRIER, b) + 1, TSL_EV_ONCE | (unsigned)first << 8);
        d->m->serial[b] |= bit;
        set_reg(d, first);
    }
    tsl_vm_advance(d, 0);
}

static void do_once(tsl_vm_doing *d) {
    bool runs = d->m->once[d->ins->obj] == TSL_VM_ONCE_NEW;
    if (runs) {
        d->m->once[d->ins->obj] = TSL_VM_ONCE_RUNNING;
        d->m->runner[d->ins->obj] = (uint8_t)(d->t + 1);
    }
    tsl_vm_result(d, runs);
    tsl_vm_advance(d, runs ? 0 : d->ins->v);
}

static void do_create(tsl_vm_doing *d) {
    tsl_vm_thread *child = &d->m->threads[d->ins->obj];
    tsl_vm_result(d, tsl_vm_number(d->m, d->ins->obj));
    if (child->phase == TSL_VM_UNBORN && d->ins->obj < d->m->program->nthreads)
        child->phase = TSL_VM_AT_START;
    child->signal |= d->self->signal & TSL_VM_SIG_BLOCKED;
    d->self->signal |= TSL_VM_SIG_ENTERED;
    tsl_vm_advance(d, 0);
}

static unsigned join(tsl_vm_doing *d, unsigned busy) {
    tsl_vm_thread *child = &d->m->threads[d->ins->obj];
    if (child->phase == TSL_VM_UNBORN || child->joined)
        return ESRCH;
    if (child->phase != TSL_VM_ENDED)
        return busy;
    child->joined = 1;
    return 0;
}

// What a thread does before it ends the process.
static void prepare_exit(tsl_vm_doing *d) {
    if (d->self->result++ == TSL_VM_TAKES_EXIT_LOCK)
        d->m->exit_owner = (uint8_t)(d->t + 1);
    else
        d->m->seen_at_exit = d->m->words[d->m->program->at_exit - 1];
}

static void do_end(tsl_vm_doing *d) {
    if (tsl_vm_at_exit(d->m, d->t)) {
        if (tsl_vm_exit_part(d->m, d->t) != TSL_VM_ENDS_PROCESS) {
            prepare_exit(d);
            return;
        }
        unsigned status = tsl_vm_at_end(d->m, d->t) ? 0 : d->ins->v & 127;
        d->m->outcome = tsl_vm_has_stuck(d->m, d->t) ? TSL_OUT_DEADLOCK : TSL_OUT_OK;
        d->m->status = (uint8_t)(status + 1);
        tsl_vm_result(d, status);
    }
    d->self->phase = TSL_VM_ENDED;
}

static tsl_vm_value load(tsl_vm_doing *d) {
    const tsl_vm_ins *ins = d->ins;
    tsl_vm_symbols *s = &d->m->symbols;
    tsl_vm_value v = {0};
    memcpy(&v.x, (const char *)&d->m->words[ins->obj] + ins->off, ins->size);
    v.label = tsl_vm_shadow_load(s, &s->words[ins->obj][ins->off], ins->size, v.x);
    return v;
}

static void store(tsl_vm_doing *d, tsl_vm_value v) {
    const tsl_vm_ins *ins = d->ins;
    memcpy((char *)&d->m->words[ins->obj] + ins->off, &v.x, ins->size);
    tsl_vm_shadow_store(&d->m->symbols.words[ins->obj][ins->off], ins->size, v.label);
}

bool tsl_vm_may_fail(const tsl_vm_machine *m, const tsl_vm_ins *ins) {
    uint64_t old = 0;
    memcpy(&old, (const char *)&m->words[ins->obj] + ins->off, ins->size);
    return m->spurious && old == cut(ins->v, ins->size);
}

static void also_writes(tsl_vm_doing *d) {
    tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                tsl_vm_word_addr(d->ins->obj) + d->ins->off, TSL_EV_AWRITE);
    tsl_vec_last(d->out).arg = d->out->data[d->at].arg & 15;
}

// If inputs decide whether a compare-and-swap stores, it is like a branch, and counts as a write in
// either case.
static void do_cas(tsl_vm_doing *d) {
    const tsl_vm_ins *ins = d->ins;
    tsl_vm_symbols *s = &d->m->symbols;
    tsl_vm_place here = place(d, d->self->pc);
    tsl_vm_value old = load(d);
    uint64_t expected = cut(ins->v, ins->size);
    bool same = old.x == expected;
    if (ins->op == TSL_VM_CASW && tsl_vm_may_fail(d->m, ins)) {
        tsl_vm_choice(d, 2);
        also_writes(d);
        same = d->choice == 0;
        d->m->rounds[d->t].stale |= !same;
    }
    if (!same)
        d->out->data[d->at].arg = (uint8_t)((d->out->data[d->at].arg & ~TSL_ARG_ORDER_BITS) |
                                            tsl_vm_failure_order(ins) << 4);
    if (same)
        d->m->rounds[d->t].changed = true;
    else
        tsl_vm_round_read(d->m, d->t, ins, old.x);
    tsl_vm_result(d, same | (unsigned)tsl_value_mark(expected) << 1);
    uint32_t label = tsl_vm_binary(s, TSL_EXPR_EQ, old.label, old.x, 0, expected);
    if (tsl_vm_is_open(s, here, label))
        also_writes(d);
    tsl_vm_branch(s, here, label, same, 0);
    if (same)
        store(d, (tsl_vm_value){ins->u, 0});
    set_reg(d, same);
}

// There is no mark of a value that depends on inputs.
static unsigned mark(tsl_vm_value old) { return old.label ? 0 : tsl_value_mark(old.x); }

static void do_memory(tsl_vm_doing *d) {
    const tsl_vm_ins *ins = d->ins;
    tsl_vm_value old = load(d);
    switch (ins->op) {
    case TSL_VM_READ:
    case TSL_VM_READAT:
    case TSL_VM_VREAD:
    case TSL_VM_AREAD:
        tsl_vm_round_read(d->m, d->t, ins, old.x);
        tsl_vm_set(d, ins->reg, old);
        break;
    case TSL_VM_XCHG:
        if (old.x == cut(ins->v, ins->size) && !old.label)
            tsl_vm_round_read(d->m, d->t, ins, old.x);
        else
            d->m->rounds[d->t].changed = true;
        store(d, (tsl_vm_value){ins->v, 0});
        tsl_vm_set(d, ins->reg, old);
        tsl_vm_result(d, mark(old) | (old.x == cut(ins->v, ins->size) ? TSL_RMW_SAME : 0));
        break;
    case TSL_VM_RMW:
        store(d, sum(d, old, (tsl_vm_value){ins->v, 0}));
        tsl_vm_set(d, ins->reg, old);
        tsl_vm_result(d, mark(old));
        break;
    case TSL_VM_CAS:
    case TSL_VM_CASW:
        do_cas(d);
        break;
    default:
        store(d, operand(d));
        tsl_vm_result(d, mark(old));
    }
    tsl_vm_advance(d, 0);
}

// The step ends with a result that the program may look at.
static void finish(tsl_vm_doing *d, unsigned res) {
    tsl_vm_result(d, res);
    set_reg(d, res);
    tsl_vm_advance(d, 0);
}

static void do_semaphore(tsl_vm_doing *d) {
    uint8_t *value = &d->m->sems[d->ins->obj];
    if (d->ins->op == TSL_VM_SEMGET) {
        set_reg(d, *value);
        tsl_vm_advance(d, 0);
    } else if (d->ins->op == TSL_VM_SEMPOST) {
        ++*value;
        tsl_vm_advance(d, 0);
    } else if (*value) {
        --*value;
        finish(d, 0);
    } else
        finish(d, d->ins->op == TSL_VM_SEMTIMEDWAIT ? ETIMEDOUT : EAGAIN);
}

// ---------------------------------------------------------------- steps

static void do_code(tsl_vm_doing *d) {
    if (tsl_vm_only_tests(d->m, d->t)) {
        tsl_vm_do_test(d);
        return;
    }
    if (tsl_vm_only_looks(d->m, d->t)) {
        tsl_vm_do_look(d);
        return;
    }
    if (tsl_vm_at_end(d->m, d->t) || tsl_vm_at_exit(d->m, d->t)) {
        do_end(d);
        return;
    }
    switch (d->ins->op) {
    case TSL_VM_CANCEL:
        d->m->threads[d->ins->obj].cancel |= TSL_VM_ASKED;
        tsl_vm_result(d, tsl_vm_number(d->m, d->ins->obj));
        tsl_vm_advance(d, 0);
        break;
    case TSL_VM_KILL:
        tsl_vm_do_kill(d);
        break;
    case TSL_VM_SIGMASK:
        tsl_vm_do_sigmask(d);
        break;
    case TSL_VM_SIGWAIT:
        tsl_vm_do_sigwait(d);
        break;
    case TSL_VM_LOCK:
        finish(d, tsl_vm_take_mutex(d, d->ins->obj, EDEADLK));
        break;
    case TSL_VM_TRYLOCK:
        finish(d, tsl_vm_take_mutex(d, d->ins->obj, EBUSY));
        break;
    case TSL_VM_TIMEDLOCK:
        finish(d, tsl_vm_take_mutex(d, d->ins->obj, ETIMEDOUT));
        break;
    case TSL_VM_UNLOCK:
        finish(d, drop_mutex(d, d->ins->obj));
        break;
    case TSL_VM_WAIT:
    case TSL_VM_TIMEDWAIT:
        do_wait(d);
        break;
    case TSL_VM_SIGNAL:
    case TSL_VM_BROADCAST:
        tsl_vm_do_signal(d);
        break;
    case TSL_VM_SEMWAIT:
    case TSL_VM_SEMTRYWAIT:
    case TSL_VM_SEMTIMEDWAIT:
    case TSL_VM_SEMPOST:
    case TSL_VM_SEMGET:
        do_semaphore(d);
        break;
    case TSL_VM_RDLOCK:
        finish(d, take_read(d, EDEADLK));
        break;
    case TSL_VM_WRLOCK:
        finish(d, take_write(d, EDEADLK));
        break;
    case TSL_VM_TRYRDLOCK:
        finish(d, take_read(d, EBUSY));
        break;
    case TSL_VM_TRYWRLOCK:
        finish(d, take_write(d, EBUSY));
        break;
    case TSL_VM_RWUNLOCK:
        finish(d, drop_rw(d));
        break;
    case TSL_VM_BARRIER:
        do_arrive(d);
        break;
    case TSL_VM_ONCE:
        do_once(d);
        break;
    case TSL_VM_ONCEDONE:
        d->m->once[d->ins->obj] = TSL_VM_ONCE_DONE;
        tsl_vm_advance(d, 0);
        break;
    case TSL_VM_CREATE:
        do_create(d);
        break;
    case TSL_VM_JOIN:
        finish(d, join(d, 0));
        break;
    case TSL_VM_TRYJOIN:
        finish(d, join(d, EBUSY));
        break;
    case TSL_VM_CHOOSE:
        if (d->ins->v > 1)
            tsl_vm_choice(d, d->ins->v);
        set_reg(d, d->choice);
        tsl_vm_advance(d, 0);
        break;
    case TSL_VM_YIELD:
    case TSL_VM_SLEEP:
        d->self->signal |= TSL_VM_SIG_ENTERED;
        tsl_vm_advance(d, 0);
        break;
    case TSL_VM_FENCE:
        tsl_vm_advance(d, 0);
        break;
    case TSL_VM_OPAQUE: // not in programs with inputs
        for (unsigned i = 0; i < TSL_VM_WORDS; i++)
            d->m->words[i] += d->ins->v;
        tsl_vm_advance(d, 0);
        break;
    default:
        do_memory(d);
    }
}

void tsl_vm_effect(tsl_vm_machine *m, unsigned t, unsigned taken, tsl_events *out) {
    tsl_vm_ins ins = {.reg = TSL_VM_NO_REG};
    if (!tsl_vm_at_end(m, t))
        ins = tsl_vm_resolved(m, t);
    if (tsl_vm_has_effect(m, t))
        m->rounds[t].changed = true;
    tsl_vm_doing d = {.m = m,
                      .self = &m->threads[t],
                      .ins = &ins,
                      .out = out,
                      .t = t,
                      .at = out->len - 1,
                      .choice = taken};
    if (tsl_vm_is_interrupted(&d) || tsl_vm_is_cancelled(&d))
        return;
    switch (d.self->phase) {
    case TSL_VM_RESIGNAL:
        tsl_vm_do_resignal(&d);
        break;
    case TSL_VM_AT_START:
        do_start(&d);
        break;
    case TSL_VM_AT_INIT:
        do_init(&d);
        break;
    case TSL_VM_WAITING:
        tsl_vm_do_woken(&d);
        break;
    case TSL_VM_RELOCK:
        do_relock(&d);
        break;
    case TSL_VM_AT_LEAVE:
        do_leave(&d);
        break;
    case TSL_VM_AWAITS:
        do_await(&d);
        break;
    case TSL_VM_AT_RETURN:
        tsl_vm_do_return(&d);
        break;
    default:
        do_code(&d);
    }
}
