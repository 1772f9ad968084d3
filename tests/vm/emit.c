// Model programs as C; see emit.h.
//
// Registers are local variables.  Only a thread with routines of pthread_once keeps its registers
// in memory, which no other thread touches.  A cleanup handler or a handler of the signal has
// registers of its own.
//
// C must not have steps that the model does not have, because a cancellation or a signal could
// strike there.  So handles of threads are constants: the compiler is given FIRST_HANDLE, the
// handle of main, and NEXT_HANDLE, the distance from there to the handle of each next child of
// main.
#include "vm/emit.h"

#include <string.h>

typedef struct emitter {
    const tsl_vm_program *program;
    const tsl_vm_code *code;
    unsigned k, t;
    bool in_memory; // the registers of this thread
    tsl_buf *out;
} emitter;

// ---------------------------------------------------------------- what can be said in C

static bool is_atomic(const tsl_vm_ins *ins) {
    switch (ins->op) {
    case TSL_VM_AREAD:
    case TSL_VM_AWRITE:
    case TSL_VM_RMW:
    case TSL_VM_CAS:
    case TSL_VM_CASW:
    case TSL_VM_XCHG:
        return true;
    default:
        return false;
    }
}

static bool has_call(unsigned op) { return op != TSL_VM_OPAQUE; }

// A handle is known to the thread that creates it, and to threads that main creates later.
static bool knows_handle(const tsl_vm_program *p, unsigned by, unsigned of) {
    unsigned creator = TSL_VM_THREADS;
    for (unsigned t = 0; t < p->nthreads; t++)
        for (unsigned i = 0; i < p->threads[t].len; i++)
            if (p->threads[t].ins[i].op == TSL_VM_CREATE && p->threads[t].ins[i].obj == of) {
                if (creator != TSL_VM_THREADS)
                    return false;
                creator = t;
            }
    bool main_made_both = creator == 0 && of < by && p->threads[by].number < 4096;
    return of == 0 || ((creator == by || main_made_both) && p->threads[of].number < 4096);
}

// A jump may not lead into code that is a function of its own, or out of it.
static bool jumps_within(const tsl_vm_code *code, unsigned from, unsigned to) {
    unsigned low = from < to ? from : to, high = from < to ? to : from;
    for (unsigned i = 0; i < code->len; i++) {
        const tsl_vm_ins *ins = &code->ins[i];
        if (ins->op == TSL_VM_CLEANUP && low <= i && i < high)
            return false;
        if (ins->op != TSL_VM_ONCE || i == from)
            continue;
        bool from_inside = i < from && from <= i + ins->v, to_inside = i < to && to <= i + ins->v;
        if (from_inside != to_inside)
            return false;
    }
    return true;
}

static int jump_of(const tsl_vm_code *code, unsigned pc) {
    const tsl_vm_ins *ins = &code->ins[pc];
    switch (ins->op) {
    case TSL_VM_SKIPEQ:
    case TSL_VM_SKIPNE:
    case TSL_VM_SKIPLT:
    case TSL_VM_SKIPSAME:
        return (int)(pc + 1u + ins->u);
    case TSL_VM_AGAIN:
    case TSL_VM_AGAINEQ:
        return tsl_vm_loop_from(code, pc);
    default:
        return -1;
    }
}

static bool can_emit_ins(const tsl_vm_program *p, unsigned t, unsigned pc) {
    const tsl_vm_code *code = &p->threads[t];
    const tsl_vm_ins *ins = &code->ins[pc];
    if (!has_call(ins->op) || (is_atomic(ins) && ins->off % ins->size))
        return false;
    bool names = tsl_vm_names_thread(ins->op) && ins->op != TSL_VM_CREATE;
    if (names && ins->obj != t && !knows_handle(p, t, ins->obj))
        return false;
    if (ins->op == TSL_VM_ONCE &&
        (pc + ins->v >= code->len || code->ins[pc + ins->v].op != TSL_VM_ONCEDONE))
        return false;
    int to = jump_of(code, pc);
    return to < 0 || ((unsigned)to <= code->len && jumps_within(code, pc, (unsigned)to));
}

static unsigned place_of(const tsl_vm_code *code, unsigned op) {
    unsigned pc = 0;
    while (pc < code->len && code->ins[pc].op != op)
        pc++;
    return pc;
}

static unsigned cleanup_of(const tsl_vm_code *code) { return place_of(code, TSL_VM_CLEANUP); }
static unsigned handler_of(const tsl_vm_code *code) { return place_of(code, TSL_VM_HANDLER); }

// A handler is a function of its own, so it may not use registers that were set before it.
static bool handles_alone(const tsl_vm_code *code, unsigned handler) {
    for (unsigned pc = handler + 1; pc < code->len; pc++) {
        const tsl_vm_ins *ins = &code->ins[pc];
        bool writes = ins->op == TSL_VM_WRITE && ins->reg == TSL_VM_NO_REG;
        bool calls = ins->op == TSL_VM_UNLOCK || ins->op == TSL_VM_SEMPOST;
        if (!calls && ins->op != TSL_VM_READ && !writes)
            return false;
    }
    return true;
}

static unsigned count(const tsl_vm_code *code, unsigned op) {
    unsigned n = 0;
    for (unsigned i = 0; i < code->len; i++)
        n += code->ins[i].op == op;
    return n;
}

static bool has(const tsl_vm_program *p, unsigned op) {
    unsigned n = 0;
    for (unsigned t = 0; t < p->nthreads; t++)
        n += count(&p->threads[t], op);
    return n > 0;
}

// In the model a call goes on after the handler, but a timed wait does not; one handler serves
// both.
bool tsl_vm_can_emit(const tsl_vm_program *p) {
    if (has(p, TSL_VM_SEMTIMEDWAIT) && has(p, TSL_VM_SEMWAIT))
        return false;
    for (unsigned t = 0; t < p->nthreads; t++) {
        const tsl_vm_code *code = &p->threads[t];
        if (count(code, TSL_VM_CLEANUP) > (t > 0) || !handles_alone(code, cleanup_of(code)) ||
            !handles_alone(code, handler_of(code)))
            return false;
        for (unsigned pc = 0; pc < p->threads[t].len; pc++)
            if (!can_emit_ins(p, t, pc))
                return false;
    }
    return true;
}

// ---------------------------------------------------------------- operands

static const char *const order_names[] = {"__ATOMIC_RELAXED", "__ATOMIC_CONSUME",
                                          "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE",
                                          "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};

static const char *order(const tsl_vm_ins *ins) { return order_names[tsl_vm_order(ins)]; }

static void reg(emitter *e, unsigned r) {
    if (e->in_memory)
        tsl_buf_add(e->out, "regs_%u[%u][%u]", e->k, e->t, r);
    else
        tsl_buf_add(e->out, "r%u", r);
}

// `r = `, or nothing if there is no register.
static void assign(emitter *e, unsigned r) {
    if (r == TSL_VM_NO_REG)
        return;
    reg(e, r);
    tsl_buf_puts(e->out, " = ");
}

static void sum(emitter *e, const tsl_vm_ins *ins, unsigned r) {
    if (r != TSL_VM_NO_REG) {
        reg(e, r);
        tsl_buf_puts(e->out, " + ");
    }
    tsl_buf_add(e->out, "%uu", ins->v);
}

// The bytes of a word as an object: `any` may stand anywhere, an atomic one is aligned.
static void place(emitter *e, const tsl_vm_ins *ins, const char *type) {
    if (ins->op == TSL_VM_READAT || ins->op == TSL_VM_WRITEAT) {
        tsl_buf_add(e->out, "(%s64 *)&words_%u[", type, e->k);
        reg(e, ins->reg2);
        tsl_buf_add(e->out, " & %u]", TSL_VM_WORDS - 1u);
        return;
    }
    tsl_buf_add(e->out, "(%s%u *)&words_%u[%u][%u]", type, ins->size * 8, e->k, ins->obj, ins->off);
}

// ---------------------------------------------------------------- instructions

static void emit_cas(emitter *e, const tsl_vm_ins *ins) {
    tsl_buf_add(e->out, "{ uint%u_t expected = (uint%u_t)%u; ", ins->size * 8, ins->size * 8,
                ins->v);
    assign(e, ins->reg);
    tsl_buf_puts(e->out, "__atomic_compare_exchange_n(");
    place(e, ins, "u");
    tsl_buf_add(e->out, ", &expected, (uint%u_t)%u, %s, %s, %s); }", ins->size * 8, ins->u,
                ins->op == TSL_VM_CASW ? "1" : "0", order(ins),
                order_names[tsl_vm_failure_order(ins)]);
}

static void emit_memory(emitter *e, const tsl_vm_ins *ins) {
    switch (ins->op) {
    case TSL_VM_READ:
    case TSL_VM_READAT:
    case TSL_VM_VREAD:
        assign(e, ins->reg);
        tsl_buf_puts(e->out, "*");
        place(e, ins, ins->op == TSL_VM_VREAD ? "volatile any" : "any");
        break;
    case TSL_VM_WRITE:
    case TSL_VM_WRITEAT:
    case TSL_VM_VWRITE:
        tsl_buf_puts(e->out, "*");
        place(e, ins, ins->op == TSL_VM_VWRITE ? "volatile any" : "any");
        tsl_buf_add(e->out, " = (uint%u_t)(", ins->size * 8);
        sum(e, ins, ins->reg);
        tsl_buf_puts(e->out, ")");
        break;
    case TSL_VM_AREAD:
        assign(e, ins->reg);
        tsl_buf_puts(e->out, "__atomic_load_n(");
        place(e, ins, "u");
        tsl_buf_add(e->out, ", %s)", order(ins));
        break;
    case TSL_VM_AWRITE:
        tsl_buf_puts(e->out, "__atomic_store_n(");
        place(e, ins, "u");
        tsl_buf_add(e->out, ", (uint%u_t)(", ins->size * 8);
        sum(e, ins, ins->reg);
        tsl_buf_add(e->out, "), %s)", order(ins));
        break;
    default:
        assign(e, ins->reg);
        tsl_buf_add(e->out, "__atomic_%s(", ins->op == TSL_VM_RMW ? "fetch_add" : "exchange_n");
        place(e, ins, "u");
        tsl_buf_add(e->out, ", (uint%u_t)%u, %s)", ins->size * 8, ins->v, order(ins));
    }
    tsl_buf_puts(e->out, ";");
}

// Calls that return 0 or an error number, on an object of the program.
static const struct {
    uint8_t op;
    const char *call; // with the numbers of the program and of the object
} calls[] = {
    {TSL_VM_LOCK, "pthread_mutex_lock(&mutex_%u[%u])"},
    {TSL_VM_UNLOCK, "pthread_mutex_unlock(&mutex_%u[%u])"},
    {TSL_VM_TRYLOCK, "pthread_mutex_trylock(&mutex_%u[%u])"},
    {TSL_VM_TIMEDLOCK, "pthread_mutex_timedlock(&mutex_%u[%u], &soon)"},
    {TSL_VM_SIGNAL, "pthread_cond_signal(&cond_%u[%u])"},
    {TSL_VM_BROADCAST, "pthread_cond_broadcast(&cond_%u[%u])"},
    {TSL_VM_SEMWAIT, "wait_for(&sem_%u[%u])"},
    {TSL_VM_SEMTRYWAIT, "failure(sem_trywait(&sem_%u[%u]))"},
    {TSL_VM_SEMTIMEDWAIT, "failure(sem_timedwait(&sem_%u[%u], &soon))"},
    {TSL_VM_SEMPOST, "failure(sem_post(&sem_%u[%u]))"},
    {TSL_VM_SEMGET, "value_of(&sem_%u[%u])"},
    {TSL_VM_RDLOCK, "pthread_rwlock_rdlock(&rwlock_%u[%u])"},
    {TSL_VM_WRLOCK, "pthread_rwlock_wrlock(&rwlock_%u[%u])"},
    {TSL_VM_TRYRDLOCK, "pthread_rwlock_tryrdlock(&rwlock_%u[%u])"},
    {TSL_VM_TRYWRLOCK, "pthread_rwlock_trywrlock(&rwlock_%u[%u])"},
    {TSL_VM_RWUNLOCK, "pthread_rwlock_unlock(&rwlock_%u[%u])"},
};

static const char *call_of(unsigned op) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].op == op)
            return calls[i].call;
    return NULL;
}

#pragma clang diagnostic ignored "-Wformat-nonliteral"

static void take_result(emitter *e, const tsl_vm_ins *ins) {
    if (ins->reg == TSL_VM_NO_REG)
        tsl_buf_puts(e->out, "(void)");
    assign(e, ins->reg);
    if (ins->reg != TSL_VM_NO_REG)
        tsl_buf_puts(e->out, "(uint64_t)");
}

static void emit_call(emitter *e, const tsl_vm_ins *ins) {
    take_result(e, ins);
    tsl_buf_add(e->out, call_of(ins->op), e->k, ins->obj);
    tsl_buf_puts(e->out, ";");
}

// Calls that name a thread.
static void emit_on_thread(emitter *e, const tsl_vm_ins *ins) {
    static const char *const names[TSL_VM_OP_COUNT] = {
        [TSL_VM_JOIN] = "pthread_join",
        [TSL_VM_TRYJOIN] = "pthread_tryjoin_np",
        [TSL_VM_CANCEL] = "pthread_cancel",
        [TSL_VM_KILL] = "pthread_kill",
    };
    bool joins = ins->op == TSL_VM_JOIN || ins->op == TSL_VM_TRYJOIN;
    take_result(e, ins);
    tsl_buf_add(e->out, "%s(HANDLE(%u)%s);", names[ins->op], e->program->threads[ins->obj].number,
                joins                    ? ", NULL"
                : ins->op == TSL_VM_KILL ? ", SIGUSR1"
                                         : "");
}

static void emit_wait(emitter *e, const tsl_vm_ins *ins) {
    if (ins->reg != TSL_VM_NO_REG) {
        assign(e, ins->reg);
        tsl_buf_puts(e->out, "(uint64_t)");
    }
    bool timed = ins->op == TSL_VM_TIMEDWAIT;
    tsl_buf_add(e->out, "pthread_cond_%s(&cond_%u[%u], &mutex_%u[%u]%s);",
                timed ? "timedwait" : "wait", e->k, ins->obj, e->k, ins->mutex,
                timed ? ", &soon" : "");
}

static void emit_barrier(emitter *e, const tsl_vm_ins *ins) {
    assign(e, ins->reg);
    tsl_buf_add(e->out, "pthread_barrier_wait(&barrier_%u[%u])%s;", e->k, ins->obj,
                ins->reg == TSL_VM_NO_REG ? "" : " == PTHREAD_BARRIER_SERIAL_THREAD");
}

static void emit_jump(emitter *e, const tsl_vm_ins *ins, unsigned pc) {
    static const char *const signs[TSL_VM_OP_COUNT] = {
        [TSL_VM_SKIPEQ] = "==",   [TSL_VM_SKIPNE] = "!=", [TSL_VM_SKIPLT] = "<",
        [TSL_VM_SKIPSAME] = "==", [TSL_VM_AGAIN] = "!=",  [TSL_VM_AGAINEQ] = "==",
    };
    int to = jump_of(e->code, pc);
    if (to < 0)
        return;
    tsl_buf_puts(e->out, "if (");
    reg(e, ins->reg);
    tsl_buf_add(e->out, " %s ", signs[ins->op]);
    if (ins->op == TSL_VM_SKIPSAME)
        reg(e, ins->reg2);
    else
        tsl_buf_add(e->out, "%uu", ins->v);
    tsl_buf_add(e->out, ") goto at_%d;", to);
}

static void emit_calculation(emitter *e, const tsl_vm_ins *ins) {
    const char *sign = ins->op == TSL_VM_ADD ? "+" : "^";
    reg(e, ins->reg);
    tsl_buf_add(e->out, " %s= ", sign);
    if (ins->reg2 != TSL_VM_NO_REG) {
        reg(e, ins->reg2);
        tsl_buf_add(e->out, " %s ", sign);
    }
    tsl_buf_add(e->out, "%uu;", ins->v);
}

static void emit_other(emitter *e, const tsl_vm_ins *ins, unsigned pc) {
    switch (ins->op) {
    case TSL_VM_BARRIER:
        emit_barrier(e, ins);
        break;
    case TSL_VM_ONCE:
        tsl_buf_add(e->out, "pthread_once(&once_%u[%u], routine_%u_%u_%u);", e->k, ins->obj, e->k,
                    e->t, pc);
        break;
    case TSL_VM_CREATE:
        tsl_buf_add(e->out, "pthread_create(&thread_%u[%u], NULL, run_%u_%u, NULL);", e->k,
                    ins->obj, e->k, ins->obj);
        break;
    case TSL_VM_SIGMASK:
        tsl_buf_add(e->out, "pthread_sigmask(SIG_%s, &usr1, NULL);", ins->v ? "BLOCK" : "UNBLOCK");
        break;
    case TSL_VM_SIGWAIT:
        tsl_buf_puts(e->out, "sigwaitinfo(&usr1, NULL);");
        break;
    case TSL_VM_TESTCANCEL:
        tsl_buf_puts(e->out, "pthread_testcancel();");
        break;
    case TSL_VM_CANCELSTATE:
        tsl_buf_add(e->out, "pthread_setcancelstate(PTHREAD_CANCEL_%s, NULL);",
                    ins->v ? "DISABLE" : "ENABLE");
        break;
    case TSL_VM_CANCELTYPE:
        tsl_buf_add(e->out, "pthread_setcanceltype(PTHREAD_CANCEL_%s, NULL);",
                    ins->v ? "ASYNCHRONOUS" : "DEFERRED");
        break;
    case TSL_VM_CHOOSE:
        assign(e, ins->reg);
        tsl_buf_add(e->out, "TEASEL_CHOOSE(%u);", ins->v);
        break;
    case TSL_VM_INPUT:
        tsl_buf_puts(e->out, "{ uint8_t byte; TEASEL_INPUT(byte); ");
        assign(e, ins->reg);
        tsl_buf_add(e->out, "byte %% %u; }", TSL_VM_INPUT_VALUES);
        break;
    case TSL_VM_ASSUME:
        tsl_buf_puts(e->out, "TEASEL_ASSUME(");
        reg(e, ins->reg);
        tsl_buf_add(e->out, " < %u);", ins->v);
        break;
    case TSL_VM_YIELD:
        tsl_buf_puts(e->out, "sched_yield();");
        break;
    case TSL_VM_SLEEP:
        tsl_buf_puts(e->out, "sleep(1);");
        break;
    case TSL_VM_PAUSE:
        tsl_buf_puts(e->out, "pause();");
        break;
    case TSL_VM_EXIT:
        tsl_buf_add(e->out, "exit(%u);", ins->v & 127u);
        break;
    case TSL_VM_FENCE:
        tsl_buf_add(e->out, "__atomic_thread_fence(%s);", order(ins));
        break;
    default:
        break;
    }
}

static void emit_ins(emitter *e, unsigned pc) {
    const tsl_vm_ins *ins = &e->code->ins[pc];
    tsl_buf_add(e->out, "#line %u\n    ", e->k * TSL_VM_EMIT_LINES + tsl_vm_site(e->t, pc));
    if (ins->op == TSL_VM_CAS || ins->op == TSL_VM_CASW)
        emit_cas(e, ins);
    else if (ins->size)
        emit_memory(e, ins);
    else if (call_of(ins->op))
        emit_call(e, ins);
    else if (tsl_vm_names_thread(ins->op) && ins->op != TSL_VM_CREATE)
        emit_on_thread(e, ins);
    else if (ins->op == TSL_VM_WAIT || ins->op == TSL_VM_TIMEDWAIT)
        emit_wait(e, ins);
    else if (ins->op == TSL_VM_ADD || ins->op == TSL_VM_XOR)
        emit_calculation(e, ins);
    else if (jump_of(e->code, pc) >= 0)
        emit_jump(e, ins, pc);
    else
        emit_other(e, ins, pc);
    tsl_buf_puts(e->out, "\n");
}

// ---------------------------------------------------------------- threads

static bool is_target(const tsl_vm_code *code, unsigned pc) {
    for (unsigned i = 0; i < code->len; i++)
        if (jump_of(code, i) == (int)pc)
            return true;
    return false;
}

static void emit_range(emitter *e, unsigned from, unsigned to) {
    for (unsigned pc = from; pc <= to; pc++) {
        if (is_target(e->code, pc))
            tsl_buf_add(e->out, "at_%u:;\n", pc);
        if (pc == to)
            break;
        emit_ins(e, pc);
        if (e->code->ins[pc].op == TSL_VM_ONCE) // up to ONCEDONE is its routine
            pc += e->code->ins[pc].v;
    }
}

static void emit_routines(emitter *e) {
    for (unsigned pc = 0; pc < e->code->len; pc++)
        if (e->code->ins[pc].op == TSL_VM_ONCE) {
            tsl_buf_add(e->out, "static void routine_%u_%u_%u(void) {\n", e->k, e->t, pc);
            emit_range(e, pc + 1, pc + e->code->ins[pc].v);
            tsl_buf_puts(e->out, "}\n");
        }
}

static void emit_set(emitter *e, unsigned r, unsigned value) {
    if (r == TSL_VM_NO_REG)
        return;
    assign(e, r);
    tsl_buf_add(e->out, "%u;\n", value);
}

static void emit_body(emitter *e) {
    unsigned clean = cleanup_of(e->code), len = handler_of(e->code);
    if (clean >= len) {
        emit_range(e, 0, len);
        return;
    }
    tsl_buf_add(e->out, "pthread_cleanup_push(clean_%u_%u, NULL);\n", e->k, e->t);
    emit_range(e, 0, clean);
    tsl_buf_puts(e->out, "pthread_cleanup_pop(0);\n");
    emit_set(e, e->code->ins[clean].reg, 0);
    emit_range(e, clean + 1, len);
}

static void emit_registers(emitter *e) {
    if (!e->in_memory)
        tsl_buf_puts(e->out, "uint64_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;\n"
                             "(void)r0, (void)r1, (void)r2, (void)r3;\n");
}

static void emit_cleanup(emitter *e) {
    unsigned clean = cleanup_of(e->code);
    if (clean == e->code->len)
        return;
    tsl_buf_add(e->out, "static void clean_%u_%u(void *arg) {\n(void)arg;\n", e->k, e->t);
    emit_registers(e);
    emit_set(e, e->code->ins[clean].reg, 1);
    emit_range(e, clean + 1, handler_of(e->code));
    tsl_buf_puts(e->out, "}\n");
}

// One handler for all threads: each has code of its own.
static void emit_handler(emitter *e) {
    tsl_buf_add(e->out, "static void handle_%u(int number) {\n(void)number;\n", e->k);
    for (unsigned t = 0; t < e->program->nthreads; t++) {
        e->t = t;
        e->code = &e->program->threads[t];
        e->in_memory = false;
        tsl_buf_add(e->out, "if (pthread_self() == HANDLE(%u)) {\n", e->code->number);
        emit_registers(e);
        emit_range(e, handler_of(e->code) + 1, e->code->len);
        tsl_buf_puts(e->out, "return;\n}\n");
    }
    tsl_buf_puts(e->out, "}\n");
}

static void emit_thread(emitter *e, unsigned t) {
    e->t = t;
    e->code = &e->program->threads[t];
    e->in_memory = count(e->code, TSL_VM_ONCE);
    emit_routines(e);
    emit_cleanup(e);
    tsl_buf_add(e->out, "static void *run_%u_%u(void *arg) {\n", e->k, t);
    emit_registers(e);
    if (t == 0) {
        for (unsigned i = 0; i < e->program->nsems; i++)
            tsl_buf_add(e->out, "sem_init(&sem_%u[%u], 0, %u);\n", e->k, i, e->program->sems[i]);
        for (unsigned i = 0; i < e->program->nbarriers; i++)
            tsl_buf_add(e->out, "pthread_barrier_init(&barrier_%u[%u], NULL, %u);\n", e->k, i,
                        e->program->barriers[i]);
        if (e->program->at_exit)
            tsl_buf_add(e->out, "atexit(look_%u);\n", e->k);
        if (e->program->kills)
            tsl_buf_add(e->out, "catch_signal(handle_%u, %s);\n", e->k,
                        has(e->program, TSL_VM_SEMTIMEDWAIT) ? "0" : "SA_RESTART");
    }
    emit_body(e);
    tsl_buf_puts(e->out, "return arg;\n}\n");
}

// ---------------------------------------------------------------- the file

void tsl_vm_emit_head(tsl_buf *out) {
    tsl_buf_puts(out, "#define _GNU_SOURCE\n"
                      "#include <errno.h>\n#include <pthread.h>\n#include <sched.h>\n"
                      "#include <semaphore.h>\n#include <signal.h>\n#include <stdint.h>\n"
                      "#include <stdlib.h>\n"
                      "#include <time.h>\n#include <unistd.h>\n#include <teasel.h>\n"
                      "static const struct timespec soon = {1, 0};\n"
                      "#define ERRORCHECK PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP\n"
                      "#define HANDLE(n) ((pthread_t)(FIRST_HANDLE + (n)*NEXT_HANDLE))\n"
                      "static const sigset_t usr1 = {{1ul << (SIGUSR1 - 1)}};\n"
                      "static void catch_signal(void (*handle)(int), int flags) {\n"
                      "    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};\n"
                      "    sigaction(SIGUSR1, &action, NULL);\n"
                      "}\n"
                      "static inline int failure(int r) { return r ? errno : 0; }\n"
                      "static inline int wait_for(sem_t *s) {\n"
                      "    int r;\n    while ((r = sem_wait(s)) != 0 && errno == EINTR)\n"
                      "        ;\n    return failure(r);\n}\n"
                      "static inline int value_of(sem_t *s) { int v; sem_getvalue(s, &v); "
                      "return v; }\n");
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        tsl_buf_add(out,
                    "typedef uint%u_t u%u __attribute__((may_alias));\n"
                    "typedef uint%u_t any%u __attribute__((aligned(1), may_alias));\n",
                    bits, bits, bits, bits);
}

void tsl_vm_emit(const tsl_vm_program *program, unsigned k, tsl_buf *out) {
    emitter e = {.program = program, .k = k, .out = out};
    tsl_buf_add(out,
                "static unsigned char words_%u[%u][8] __attribute__((aligned(8)));\n"
                "static uint64_t regs_%u[%u][%u];\n"
                "static pthread_t thread_%u[%u];\n"
                "static sem_t sem_%u[%u];\n"
                "static pthread_barrier_t barrier_%u[%u];\n",
                k, TSL_VM_WORDS, k, TSL_VM_THREADS, TSL_VM_REGS, k, TSL_VM_THREADS, k,
                TSL_VM_OBJECTS, k, TSL_VM_OBJECTS);
    tsl_buf_add(out,
                "static pthread_mutex_t mutex_%u[] = {ERRORCHECK, ERRORCHECK, ERRORCHECK, "
                "ERRORCHECK};\n"
                "static pthread_cond_t cond_%u[%u];\n"
                "static pthread_rwlock_t rwlock_%u[%u];\n"
                "static pthread_once_t once_%u[%u];\n",
                k, k, TSL_VM_OBJECTS, k, TSL_VM_OBJECTS, k, TSL_VM_OBJECTS);
    if (program->at_exit)
        tsl_buf_add(out,
                    "static volatile uint64_t seen_%u;\n"
                    "#line %u\n"
                    "static void look_%u(void) { seen_%u = *(any64 *)&words_%u[%u][0]; }\n",
                    k, k * TSL_VM_EMIT_LINES + tsl_vm_site(TSL_VM_THREADS, 0), k, k, k,
                    program->at_exit - 1u);
    for (unsigned t = 1; t < program->nthreads; t++)
        tsl_buf_add(out, "static void *run_%u_%u(void *arg);\n", k, t);
    if (program->kills)
        emit_handler(&e);
    for (unsigned t = 0; t < program->nthreads; t++)
        emit_thread(&e, t);
}

void tsl_vm_emit_main(unsigned programs, tsl_buf *out) {
    tsl_buf_puts(out, "int main(int argc, char **argv) {\n"
                      "    switch (argc > 1 ? atoi(argv[1]) : -1) {\n");
    for (unsigned k = 0; k < programs; k++)
        tsl_buf_add(out, "    case %u: run_%u_0(NULL); return 0;\n", k, k);
    tsl_buf_puts(out, "    default: return 2;\n    }\n}\n");
}
