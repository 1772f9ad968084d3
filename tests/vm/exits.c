// Random model programs in which several threads may end the process; see generate.h.
//
// Threads write, take locks and semaphores, and some of them call exit; main may join some of them.
// In half of the programs a handler looks at a word when the process ends, so that it matters how
// far the other threads came.
#include <string.h>

#include "base/rng.h"
#include "vm/generate.h"

typedef struct maker {
    tsl_rng rng;
    tsl_vm_code *code;
    int room;
    uint16_t value;
} maker;

#include "vm/maker.h"

static void access(maker *g) {
    bool reads = one_in(g, 3);
    put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READ : TSL_VM_WRITE,
                        .obj = (uint8_t)one_in(g, 3),
                        .size = 8,
                        .reg = (uint8_t)(reads ? below(g, 4) : TSL_VM_NO_REG),
                        .v = reads ? 0 : ++g->value});
}

static void block(maker *g) {
    switch (below(g, 6)) {
    case 0:
        put_on(g, TSL_VM_LOCK, 0);
        access(g);
        if (!one_in(g, 4))
            put_on(g, TSL_VM_UNLOCK, 0);
        break;
    case 1:
        put_on(g, one_in(g, 2) ? TSL_VM_SEMPOST : TSL_VM_SEMWAIT, 0);
        break;
    default:
        access(g);
    }
}

static void body(maker *g, unsigned blocks) {
    for (unsigned n = 1 + below(g, blocks); n > 0; n--)
        block(g);
    if (one_in(g, 2)) // what follows is never reached, unless it is skipped
        put(g, (tsl_vm_ins){.op = TSL_VM_EXIT, .v = (uint16_t)below(g, 3), .reg = TSL_VM_NO_REG});
}

void tsl_vm_generate_exits(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed) {
    maker g = {0};
    tsl_rng_init(&g.rng, seed * 4241 + 3);
    unsigned threads = 1 + below(&g, 2 + (size == TSL_VM_LARGE));
    unsigned blocks = size == TSL_VM_LARGE ? 3 : threads == 1 ? 3 : 1;
    program->nsems = 1;
    program->sems[0] = (uint8_t)one_in(&g, 2);
    program->at_exit = (uint8_t)(one_in(&g, 2) ? 1 + one_in(&g, 4) : 0);
    program->nthreads = (uint8_t)(threads + 1);
    for (unsigned t = 1; t <= threads; t++) {
        g.code = &program->threads[t];
        body(&g, blocks);
    }
    g.code = &program->threads[0];
    for (unsigned t = 1; t <= threads; t++)
        put_on(&g, TSL_VM_CREATE, t);
    if (one_in(&g, 2))
        block(&g);
    if (one_in(&g, 4))
        put(&g, (tsl_vm_ins){.op = TSL_VM_EXIT, .v = 1, .reg = TSL_VM_NO_REG});
    else if (one_in(&g, 3))
        put_on(&g, TSL_VM_JOIN, 1);
    tsl_vm_program_seal(program);
}
