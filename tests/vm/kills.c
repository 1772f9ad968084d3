// Random model programs whose threads send each other a signal; see generate.h.
//
// Signals arrive where they do in real programs: between any two accesses, while a thread waits for
// locks, semaphores and other threads, in pause, while the signal is blocked, and in sigwait.
// Handlers write, look, and post semaphores.
#include <errno.h>
#include <string.h>

#include "base/rng.h"
#include "vm/generate.h"

typedef struct maker {
    tsl_rng rng;
    tsl_vm_code *code;
    int room;
    unsigned thread, threads;
    uint16_t value;
    uint8_t kinds; // of blocks: a bit each
} maker;

#include "vm/maker.h"

enum { LOCKS, RWLOCKS, SEMAPHORES, YIELDS, PAUSES, MASKS, WAITS, TIMED, KINDS };

static void access(maker *g) {
    bool reads = one_in(g, 2);
    put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READ : TSL_VM_WRITE,
                        .obj = (uint8_t)one_in(g, 4),
                        .size = 8,
                        .reg = (uint8_t)(reads ? below(g, 3) : TSL_VM_NO_REG),
                        .v = reads ? 0 : ++g->value});
}

// Sends the signal to a thread that exists.
static void kill(maker *g) {
    put_on(g, TSL_VM_KILL, g->thread ? below(g, g->thread) : 1 + below(g, g->threads));
}

static void block_of(maker *g, unsigned kind) {
    switch (kind) {
    case LOCKS:
        put_on(g, TSL_VM_LOCK, 0);
        if (one_in(g, 2))
            access(g);
        put_on(g, TSL_VM_UNLOCK, 0);
        break;
    case RWLOCKS:
        put_on(g, one_in(g, 2) ? TSL_VM_RDLOCK : TSL_VM_WRLOCK, 0);
        if (one_in(g, 2))
            access(g);
        put_on(g, TSL_VM_RWUNLOCK, 0);
        break;
    case SEMAPHORES:
        put_on(g, one_in(g, 2) ? TSL_VM_SEMPOST : TSL_VM_SEMWAIT, 0);
        break;
    case YIELDS:
        put_on(g, TSL_VM_YIELD, 0);
        break;
    case PAUSES:
        put_on(g, TSL_VM_PAUSE, 0);
        break;
    case TIMED:
        put(g, (tsl_vm_ins){.op = TSL_VM_SEMTIMEDWAIT, .reg = 3});
        put(g, (tsl_vm_ins){.op = TSL_VM_SKIPNE, .reg = 3, .v = EINTR, .u = 1});
        access(g);
        break;
    case MASKS:
        put_value(g, TSL_VM_SIGMASK, 1);
        one_in(g, 2) ? access(g) : put_on(g, TSL_VM_SEMPOST, 0);
        put_value(g, TSL_VM_SIGMASK, 0);
        break;
    default:
        put_value(g, TSL_VM_SIGMASK, 1);
        put_on(g, TSL_VM_SIGWAIT, 0);
        if (one_in(g, 2))
            put_value(g, TSL_VM_SIGMASK, 0);
    }
}

static void block(maker *g) {
    unsigned kind = below(g, KINDS);
    if (one_in(g, 3))
        kill(g);
    else if (g->kinds >> kind & 1)
        block_of(g, kind);
    else
        access(g);
}

// A handler must not wait.
static void handler(maker *g) {
    put_on(g, TSL_VM_HANDLER, 0);
    if (one_in(g, 3))
        put_on(g, TSL_VM_SEMPOST, 0);
    else
        access(g);
    if (one_in(g, 4))
        access(g);
}

static void main_thread(maker *g, tsl_vm_program *program, bool large) {
    g->thread = 0;
    g->code = &program->threads[0];
    if (one_in(g, 6))
        put_value(g, TSL_VM_SIGMASK, 1); // which the others inherit
    for (unsigned t = 1; t <= g->threads; t++)
        put_on(g, TSL_VM_CREATE, t);
    kill(g);
    for (unsigned n = below(g, 2u + large); n > 0; n--)
        block(g);
    for (unsigned t = 1; t <= g->threads; t++)
        if (one_in(g, 3))
            put_on(g, TSL_VM_JOIN, t);
    if (one_in(g, 3))
        handler(g);
}

void tsl_vm_generate_kills(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed) {
    maker g = {0};
    bool large = size == TSL_VM_LARGE;
    tsl_rng_init(&g.rng, seed * 5417 + 29);
    g.threads = 1 + (large && one_in(&g, 2)) + one_in(&g, 8);
    unsigned room = large ? 3 : g.threads == 1 ? 3 : 1;
    g.kinds = (uint8_t)(1u << below(&g, KINDS) | 1u << below(&g, KINDS));
    program->nsems = 1;
    program->sems[0] = (uint8_t)one_in(&g, 3);
    program->nthreads = (uint8_t)(g.threads + 1);
    for (unsigned t = 1; t <= g.threads; t++) {
        g.thread = t;
        g.code = &program->threads[t];
        for (unsigned n = 1 + below(&g, room); n > 0; n--)
            block(&g);
        if (!one_in(&g, 4))
            handler(&g);
    }
    main_thread(&g, program, large);
    tsl_vm_program_seal(program);
}
