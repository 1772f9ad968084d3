// Random model programs with steps that may touch anything; see generate.h.
//
// Such a step adds to every word.  Threads also access words, take locks, post and wait, so that
// opaque steps meet steps that block, steps that touch nothing, and each other.
#include <string.h>

#include "base/rng.h"
#include "vm/generate.h"

typedef struct maker {
    tsl_rng rng;
    tsl_vm_code *code;
    int room;
    uint16_t value;
    bool locks, posts;
} maker;

#include "vm/maker.h"

static void access(maker *g) {
    static const uint8_t ops[] = {TSL_VM_READ, TSL_VM_READ, TSL_VM_WRITE, TSL_VM_RMW, TSL_VM_CAS};
    unsigned op = ops[below(g, sizeof ops)];
    put(g, (tsl_vm_ins){.op = (uint8_t)op,
                        .obj = (uint8_t)below(g, 2),
                        .size = 8,
                        .reg = (uint8_t)(op == TSL_VM_WRITE ? TSL_VM_NO_REG : below(g, 3)),
                        .v = op == TSL_VM_CAS ? (uint16_t)below(g, 3) : ++g->value,
                        .u = 2});
}

static void opaque(maker *g) {
    put(g, (tsl_vm_ins){.op = TSL_VM_OPAQUE, .v = ++g->value, .reg = TSL_VM_NO_REG});
}

static void step(maker *g) {
    unsigned kind = below(g, 6);
    if (kind < 2)
        opaque(g);
    else if (kind == 2 && g->locks) {
        put_on(g, TSL_VM_LOCK, 0);
        one_in(g, 2) ? opaque(g) : access(g);
        put_on(g, TSL_VM_UNLOCK, 0);
    } else if (kind == 2 && g->posts)
        put_on(g, one_in(g, 2) ? TSL_VM_SEMPOST : TSL_VM_SEMWAIT, 0);
    else if (kind == 3 && one_in(g, 2))
        put_on(g, TSL_VM_YIELD, 0);
    else
        access(g);
}

void tsl_vm_generate_opaques(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed) {
    maker g = {0};
    tsl_rng_init(&g.rng, seed * 7919 + 5);
    unsigned threads = 2 + one_in(&g, 3), most = size == TSL_VM_LARGE ? 4 : 5 - threads;
    g.locks = one_in(&g, 2);
    g.posts = !g.locks && one_in(&g, 2);
    program->nsems = 1;
    program->sems[0] = (uint8_t)below(&g, 2);
    program->nthreads = (uint8_t)(threads + 1);
    for (unsigned t = 1; t <= threads; t++) {
        g.code = &program->threads[t];
        for (unsigned n = 1 + below(&g, most); n > 0; n--)
            step(&g);
    }
    g.code = &program->threads[0];
    for (unsigned t = 1; t <= threads; t++)
        put_on(&g, TSL_VM_CREATE, t);
    if (one_in(&g, 3))
        one_in(&g, 2) ? opaque(&g) : access(&g);
    for (unsigned t = 1; t <= threads; t++)
        put_on(&g, TSL_VM_JOIN, t);
    tsl_vm_program_seal(program);
}
