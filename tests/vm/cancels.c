// Random model programs whose threads are cancelled; see generate.h.
//
// Threads are cancelled where those of real programs are: in loops that test for it, while they
// wait for semaphores, conditions and other threads, while they sleep, and between any two
// accesses.  Most have handlers, which show other threads how far the thread came, and many disable
// cancellation for a while.
#include <string.h>

#include "base/rng.h"
#include "vm/generate.h"

typedef struct maker {
    tsl_rng rng;
    tsl_vm_program *program;
    tsl_vm_code *code;
    int room; // instructions it may still get
    unsigned thread, threads;
    uint16_t value;
    uint8_t kinds;  // of blocks: a bit each
    uint8_t joined; // threads that somebody joins: a bit each
} maker;

#include "vm/maker.h"

enum { TESTS, SEMAPHORES, CONDITIONS, JOINS, SLEEPS, STATES, ASYNCHRONOUS, KINDS };

static void access(maker *g) {
    bool reads = one_in(g, 3);
    put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READ : TSL_VM_WRITE,
                        .obj = (uint8_t)one_in(g, 3),
                        .size = 8,
                        .reg = (uint8_t)(reads ? below(g, 3) : TSL_VM_NO_REG),
                        .v = reads ? 0 : ++g->value});
}

// ---------------------------------------------------------------- blocks

static void condition(maker *g) {
    unsigned c = one_in(g, 4);
    if (below(g, 5) < 2) {
        put_on(g, one_in(g, 3) ? TSL_VM_BROADCAST : TSL_VM_SIGNAL, c);
        return;
    }
    put_on(g, TSL_VM_LOCK, 0);
    bool timed = one_in(g, 4);
    put(g, (tsl_vm_ins){.op = timed ? TSL_VM_TIMEDWAIT : TSL_VM_WAIT,
                        .obj = (uint8_t)c,
                        .reg = timed ? (uint8_t)below(g, 3) : TSL_VM_NO_REG});
    if (one_in(g, 4))
        access(g);
    put_on(g, TSL_VM_UNLOCK, 0);
}

static void state(maker *g) {
    put_value(g, TSL_VM_CANCELSTATE, 1);
    if (one_in(g, 2))
        access(g);
    else
        put_on(g, one_in(g, 2) ? TSL_VM_SEMWAIT : TSL_VM_TESTCANCEL, 0);
    put_value(g, TSL_VM_CANCELSTATE, 0);
    g->room += 2;
}

// Only accesses may stand there: a call of libc can't be cancelled at any place.
static void asynchronous(maker *g) {
    put_value(g, TSL_VM_CANCELTYPE, 1);
    for (unsigned n = 1 + below(g, 2); n > 0; n--)
        access(g);
    if (one_in(g, 4)) {
        put_value(g, TSL_VM_CANCELSTATE, 1);
        access(g);
        put_value(g, TSL_VM_CANCELSTATE, 0);
    }
    put_value(g, TSL_VM_CANCELTYPE, 0);
    g->room += 2;
}

// Joins the thread if it exists and no other thread joins it.
static void join(maker *g, unsigned thread) {
    if ((g->thread && thread >= g->thread) || (g->joined >> thread & 1))
        return;
    put_on(g, TSL_VM_JOIN, thread);
    g->joined |= (uint8_t)(1u << thread);
}

static void block_of(maker *g, unsigned kind) {
    switch (kind) {
    case TESTS:
        put_on(g, TSL_VM_TESTCANCEL, 0);
        break;
    case SEMAPHORES:
        put_on(g, one_in(g, 2) ? TSL_VM_SEMPOST : TSL_VM_SEMWAIT, 0);
        break;
    case CONDITIONS:
        condition(g);
        break;
    case JOINS:
        join(g, 1 + below(g, g->threads));
        break;
    case SLEEPS:
        put_on(g, one_in(g, 3) ? TSL_VM_PAUSE : TSL_VM_SLEEP, 0);
        break;
    case STATES:
        state(g);
        break;
    default:
        asynchronous(g);
    }
}

static void request(maker *g) { put_on(g, TSL_VM_CANCEL, 1 + below(g, g->threads)); }

static void block(maker *g) {
    unsigned kind = below(g, KINDS);
    if (one_in(g, 3))
        access(g);
    else if (g->thread > 1 && one_in(g, 3))
        request(g);
    else if (g->kinds >> kind & 1)
        block_of(g, kind);
}

// ---------------------------------------------------------------- threads

static void body(maker *g, unsigned thread, int room) {
    g->thread = thread;
    g->code = &g->program->threads[thread];
    for (g->room = room; g->room > 0;)
        block(g);
    if (one_in(g, 8)) {
        put_value(g, TSL_VM_CANCELTYPE, 1);
        access(g);
        return;
    }
    if (one_in(g, 4))
        return;
    put(g, (tsl_vm_ins){.op = TSL_VM_CLEANUP, .reg = (uint8_t)below(g, 4)});
    if (g->kinds >> CONDITIONS & 1)
        put_on(g, TSL_VM_UNLOCK, 0);
    else if (one_in(g, 2))
        access(g);
}

void tsl_vm_generate_cancels(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed) {
    maker g = {.program = program};
    tsl_rng_init(&g.rng, seed * 6701 + 11);
    g.threads = one_in(&g, 2) ? 1 : 2 + (size == TSL_VM_LARGE && one_in(&g, 3));
    static const uint8_t rooms[2][4] = {{0, 4, 2, 1}, {0, 8, 4, 3}};
    g.kinds = (uint8_t)(1u << below(&g, KINDS) | 1u << below(&g, KINDS) | 1u << below(&g, KINDS));
    program->nsems = 1;
    program->sems[0] = (uint8_t)one_in(&g, 3);
    program->spurious = one_in(&g, 16);
    program->nthreads = (uint8_t)(g.threads + 1);
    for (unsigned t = 1; t <= g.threads; t++)
        body(&g, t, (int)(1 + below(&g, rooms[size][g.threads])));
    g.thread = 0;
    g.code = &program->threads[0];
    for (unsigned t = 1; t <= g.threads; t++)
        put_on(&g, TSL_VM_CREATE, t);
    for (unsigned n = below(&g, 2 + (g.threads == 1)); n > 0; n--)
        one_in(&g, 2) ? access(&g) : block_of(&g, one_in(&g, 2) ? SEMAPHORES : CONDITIONS);
    request(&g);
    if (one_in(&g, 3))
        put_on(&g, one_in(&g, 2) ? TSL_VM_SEMPOST : TSL_VM_SIGNAL, 0);
    for (unsigned t = 1; t <= g.threads; t++)
        if (!one_in(&g, 4))
            join(&g, t);
    if (one_in(&g, 2))
        access(&g);
    tsl_vm_program_seal(program);
}
