// What does each step do to the state?  One function per kind; the rules of src/rt/sync.
//
// What POSIX leaves undefined (unlocking what is not held) does nothing and fails.
#include "vm/effect.h"
#include "abi/conflict.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "vm/stuck.h"

// ---------------------------------------------------------------- memory

static uint64_t load(const tsl_vm_machine *m, const tsl_vm_ins *ins) {
    uint64_t value = 0;
    memcpy(&value, (const char *)&m->words[ins->obj] + ins->off, ins->size);
    return value;
}

static void store(tsl_vm_machine *m, const tsl_vm_ins *ins, uint64_t value) {
    memcpy((char *)&m->words[ins->obj] + ins->off, &value, ins->size);
}

static uint64_t cut(uint64_t value, unsigned size) {
    return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

// ---------------------------------------------------------------- what a step does

// A step being executed.
typedef struct doing {
    tsl_vm_machine *m;
    tsl_vm_thread *self;
    const tsl_vm_ins *ins;
    tsl_events *out;
    size_t at; // its event in `out`
    unsigned t, choice;
} doing;

static void result(doing *d, unsigned res) { d->out->data[d->at].res = (uint16_t)res; }

static void set_reg(doing *d, uint64_t value) {
    if (d->ins->reg != TSL_VM_NO_REG)
        d->self->regs[d->ins->reg] = value;
}

static uint64_t operand(const doing *d) {
    return d->ins->v + (d->ins->reg == TSL_VM_NO_REG ? 0 : d->self->regs[d->ins->reg]);
}

// To the next instruction that is a step; jumps are no steps.
static void advance(doing *d, unsigned skip) {
    const tsl_vm_code *code = &d->m->program->threads[d->t];
    unsigned pc = d->self->pc + 1u + skip;
    for (; pc < code->len; pc++) {
        const tsl_vm_ins *ins = &code->ins[pc];
        if (ins->op != TSL_VM_SKIPEQ && ins->op != TSL_VM_SKIPNE)
            break;
        if ((d->self->regs[ins->reg] == ins->v) == (ins->op == TSL_VM_SKIPEQ))
            pc += ins->u;
    }
    d->self->pc = (uint8_t)(pc < code->len ? pc : code->len);
    d->self->phase = TSL_VM_AT_CODE;
    d->self->result = 0;
}

static void enter_code(doing *d) {
    d->self->pc = 0;
    d->self->phase = TSL_VM_AT_CODE;
    d->self->result = 0;
    const tsl_vm_code *code = &d->m->program->threads[d->t];
    if (code->len && (code->ins[0].op == TSL_VM_SKIPEQ || code->ins[0].op == TSL_VM_SKIPNE)) {
        const tsl_vm_ins *ins = &code->ins[0];
        advance(d, (d->self->regs[ins->reg] == ins->v) == (ins->op == TSL_VM_SKIPEQ) ? ins->u : 0);
    }
}

static void do_start(doing *d) {
    if (d->t == 0 && d->m->program->nsems + d->m->program->nbarriers > 0)
        d->self->phase = TSL_VM_AT_INIT;
    else
        enter_code(d);
}

static void do_init(doing *d) {
    const tsl_vm_program *p = d->m->program;
    unsigned i = d->self->result++;
    if (i < p->nsems) {
        d->m->sems[i] = p->sems[i];
        result(d, p->sems[i]);
    }
    if (d->self->result == p->nsems + p->nbarriers)
        enter_code(d);
}

static unsigned take_mutex(doing *d, unsigned mutex, unsigned otherwise) {
    uint8_t *owner = &d->m->owner[mutex];
    if (*owner)
        return otherwise;
    *owner = (uint8_t)(d->t + 1);
    return 0;
}

static unsigned drop_mutex(doing *d, unsigned mutex) {
    if (d->m->owner[mutex] != d->t + 1)
        return EPERM;
    d->m->owner[mutex] = 0;
    return 0;
}

// A waiter leaves the queue, whatever the reason.
static void unqueue(tsl_vm_machine *m, unsigned cond, unsigned place) {
    uint8_t *queue = m->queue[cond];
    for (; place + 1 < TSL_VM_THREADS; place++)
        queue[place] = queue[place + 1];
    queue[TSL_VM_THREADS - 1] = 0;
}

static void wake(doing *d, unsigned place) {
    unsigned cond = d->ins->obj, t = d->m->queue[cond][place] - 1u;
    tsl_vm_thread *woken = &d->m->threads[t];
    tsl_vm_note(d->out, TSL_EV_WAKE, tsl_vm_number(d->m, d->t), 0, tsl_vm_number(d->m, t));
    tsl_vec_last(d->out).arg = woken->may_give_up;
    woken->phase = TSL_VM_RELOCK;
    woken->may_give_up = 0;
    woken->result = 0;
    unqueue(d->m, cond, place);
}

static void do_wait(doing *d) {
    unsigned error = drop_mutex(d, d->ins->mutex);
    if (error) {
        result(d, error);
        set_reg(d, error);
        advance(d, 0);
        return;
    }
    tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                tsl_vm_object(TSL_VM_AT_MUTEX, d->ins->mutex), TSL_EV_UNLOCK);
    d->m->queue[d->ins->obj][tsl_vm_waiters(d->m, d->ins->obj)] = (uint8_t)(d->t + 1);
    d->self->phase = TSL_VM_WAITING;
    d->self->may_give_up = d->ins->op == TSL_VM_TIMEDWAIT || d->m->spurious;
}

static void do_woken(doing *d) {
    for (unsigned i = 0; i < TSL_VM_THREADS; i++)
        if (d->m->queue[d->ins->obj][i] == d->t + 1) {
            unqueue(d->m, d->ins->obj, i);
            break;
        }
    unsigned error = d->ins->op == TSL_VM_TIMEDWAIT ? ETIMEDOUT : 0;
    result(d, error);
    d->self->phase = TSL_VM_RELOCK;
    d->self->may_give_up = 0;
    d->self->result = (uint8_t)error;
}

static void do_relock(doing *d) {
    take_mutex(d, d->ins->mutex, 0);
    set_reg(d, d->self->result);
    advance(d, 0);
}

static void choice(doing *d, unsigned n) {
    TSL_BUG_ON(d->choice >= n, "alternative %u of %u", d->choice, n);
    tsl_vm_note(d->out, TSL_EV_CHOICE, tsl_vm_number(d->m, d->t), n, d->choice);
}

static void do_signal(doing *d) {
    unsigned n = tsl_vm_waiters(d->m, d->ins->obj), woken = n;
    if (d->ins->op == TSL_VM_SIGNAL && n) {
        woken = 1;
        if (n > 1)
            choice(d, n);
        wake(d, n > 1 ? d->choice : 0);
    } else
        for (unsigned i = 0; i < n; i++)
            wake(d, 0);
    result(d, woken);
    advance(d, 0);
}

static unsigned take_read(doing *d, unsigned otherwise) {
    if (d->m->writer[d->ins->obj])
        return otherwise;
    d->m->reads[d->ins->obj][d->t]++;
    return 0;
}

static unsigned take_write(doing *d, unsigned otherwise) {
    if (d->m->writer[d->ins->obj] || tsl_vm_readers(d->m, d->ins->obj))
        return otherwise;
    d->m->writer[d->ins->obj] = (uint8_t)(d->t + 1);
    return 0;
}

static unsigned drop_rw(doing *d) {
    uint8_t *writer = &d->m->writer[d->ins->obj], *reads = &d->m->reads[d->ins->obj][d->t];
    if (*writer == d->t + 1)
        *writer = 0;
    else if (*reads)
        --*reads;
    else
        return EPERM;
    return 0;
}

static void do_arrive(doing *d) {
    unsigned b = d->ins->obj;
    d->self->phase = TSL_VM_AT_LEAVE;
    d->self->result = d->m->round[b];
    if (++d->m->arrived[b] == d->m->program->barriers[b]) {
        d->m->arrived[b] = 0;
        d->m->round[b]++;
        return;
    }
    result(d, d->m->program->barriers[b] - (unsigned)d->m->arrived[b]);
}

// Who leaves a round first is its serial thread.
static void do_leave(doing *d) {
    unsigned b = d->ins->obj;
    uint32_t bit = 1u << (d->self->result & 31);
    bool first = !(d->m->serial[b] & bit);
    if (d->ins->reg != TSL_VM_NO_REG) {
        tsl_vm_note(d->out, TSL_EV_ALSO, tsl_vm_number(d->m, d->t),
                    tsl_vm_object(TSL_VM_AT_BARRIER, b) + 1, TSL_EV_ONCE | (unsigned)first << 8);
        d->m->serial[b] |= bit;
        set_reg(d, first);
    }
    advance(d, 0);
}

static void do_once(doing *d) {
    bool runs = d->m->once[d->ins->obj] == TSL_VM_ONCE_NEW;
    if (runs) {
        d->m->once[d->ins->obj] = TSL_VM_ONCE_RUNNING;
        d->m->runner[d->ins->obj] = (uint8_t)(d->t + 1);
    }
    result(d, runs);
    advance(d, runs ? 0 : d->ins->v);
}

static void do_create(doing *d) {
    tsl_vm_thread *child = &d->m->threads[d->ins->obj];
    result(d, tsl_vm_number(d->m, d->ins->obj));
    if (child->phase == TSL_VM_UNBORN && d->ins->obj < d->m->program->nthreads)
        child->phase = TSL_VM_AT_START;
    advance(d, 0);
}

static unsigned join(doing *d, unsigned busy) {
    tsl_vm_thread *child = &d->m->threads[d->ins->obj];
    if (child->phase == TSL_VM_UNBORN || child->joined)
        return ESRCH;
    if (child->phase != TSL_VM_ENDED)
        return busy;
    child->joined = 1;
    return 0;
}

static void do_end(doing *d) {
    if (d->t == 0)
        d->m->outcome = tsl_vm_has_stuck(d->m) ? TSL_OUT_DEADLOCK : TSL_OUT_OK;
    d->self->phase = TSL_VM_ENDED;
}

static void do_memory(doing *d) {
    const tsl_vm_ins *ins = d->ins;
    uint64_t old = load(d->m, ins);
    switch (ins->op) {
    case TSL_VM_READ:
    case TSL_VM_VREAD:
    case TSL_VM_AREAD:
        set_reg(d, old);
        break;
    case TSL_VM_RMW:
        store(d->m, ins, old + ins->v);
        set_reg(d, old);
        result(d, tsl_value_mark(old));
        break;
    case TSL_VM_CAS: {
        bool same = old == cut(ins->v, ins->size);
        if (same)
            store(d->m, ins, ins->u);
        set_reg(d, same);
        result(d, same | (unsigned)tsl_value_mark(cut(ins->v, ins->size)) << 1);
        break;
    }
    default:
        store(d->m, ins, operand(d));
        result(d, tsl_value_mark(old));
    }
    advance(d, 0);
}

// Ends with a result that the program may look at.
static void finish(doing *d, unsigned res) {
    result(d, res);
    set_reg(d, res);
    advance(d, 0);
}

static void do_semaphore(doing *d) {
    uint8_t *value = &d->m->sems[d->ins->obj];
    if (d->ins->op == TSL_VM_SEMGET) {
        set_reg(d, *value);
        advance(d, 0);
    } else if (d->ins->op == TSL_VM_SEMPOST) {
        ++*value;
        advance(d, 0);
    } else if (*value) {
        --*value;
        finish(d, 0);
    } else
        finish(d, EAGAIN);
}

static void do_code(doing *d) {
    if (tsl_vm_at_end(d->m, d->t)) {
        do_end(d);
        return;
    }
    switch (d->ins->op) {
    case TSL_VM_LOCK:
        finish(d, take_mutex(d, d->ins->obj, EDEADLK));
        break;
    case TSL_VM_TRYLOCK:
        finish(d, take_mutex(d, d->ins->obj, EBUSY));
        break;
    case TSL_VM_TIMEDLOCK:
        finish(d, take_mutex(d, d->ins->obj, ETIMEDOUT));
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
        do_signal(d);
        break;
    case TSL_VM_SEMWAIT:
    case TSL_VM_SEMTRYWAIT:
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
        advance(d, 0);
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
            choice(d, d->ins->v);
        set_reg(d, d->choice);
        advance(d, 0);
        break;
    case TSL_VM_YIELD:
        advance(d, 0);
        break;
    default:
        do_memory(d);
    }
}

void tsl_vm_effect(tsl_vm_machine *m, unsigned t, unsigned taken, tsl_events *out) {
    doing d = {.m = m,
               .self = &m->threads[t],
               .ins = tsl_vm_current(m, t),
               .out = out,
               .t = t,
               .at = out->len - 1,
               .choice = taken};
    switch (d.self->phase) {
    case TSL_VM_AT_START:
        do_start(&d);
        break;
    case TSL_VM_AT_INIT:
        do_init(&d);
        break;
    case TSL_VM_WAITING:
        do_woken(&d);
        break;
    case TSL_VM_RELOCK:
        do_relock(&d);
        break;
    case TSL_VM_AT_LEAVE:
        do_leave(&d);
        break;
    default:
        do_code(&d);
    }
}
