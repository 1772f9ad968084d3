// Random model programs with memory orders; see generate.h.
//
// Threads hand data over: one writes a data word and then a flag, another reads the flag and then
// the data, perhaps only if the flag was set.  The memory orders and fences between are drawn at
// random.  So all of these appear, used rightly and wrongly: release and acquire, relaxed accesses
// with fences, release sequences that other threads continue or break, and plain accesses of flags.
#include "vm/generate.h"

#include <string.h>

#include "base/rng.h"

enum { DATA_WORDS = 2, FLAG = 2 }; // words 0 and 1, and from 2 on

typedef struct maker {
    tsl_rng rng;
    tsl_vm_code *code;
    int room;
    uint16_t value;
    unsigned data, flags; // how many are used
    bool bytes;           // some accesses are of parts of a flag
    bool right;           // most memory orders are strong enough
} maker;

#include "vm/maker.h"

static tsl_vm_ins *last_of(maker *g) { return &g->code->ins[g->code->len - 1]; }

static uint8_t weaker(unsigned order) { return (uint8_t)(5 - order); }

// Draws a memory order that such a step may have, more often one that is strong enough.
static uint8_t order_of(maker *g, unsigned op) {
    static const uint8_t loads[] = {0, 0, 1, 2, 2, 5}, stores[] = {0, 0, 3, 3, 5},
                         both[] = {0, 0, 2, 3, 4, 5}, fences[] = {2, 3, 4, 5};
    switch (op) {
    case TSL_VM_AREAD:
        return weaker(g->right ? 2 : loads[below(g, sizeof loads)]);
    case TSL_VM_AWRITE:
        return weaker(g->right ? 3 : stores[below(g, sizeof stores)]);
    case TSL_VM_FENCE:
        return weaker(fences[below(g, sizeof fences)]);
    default:
        return weaker(g->right && !one_in(g, 3) ? 4 : both[below(g, sizeof both)]);
    }
}

static tsl_vm_ins on_flag(maker *g, unsigned op) {
    tsl_vm_ins ins = {.op = (uint8_t)op,
                      .obj = (uint8_t)(FLAG + below(g, g->flags)),
                      .size = 8,
                      .reg = (uint8_t)below(g, TSL_VM_REGS),
                      .reg2 = TSL_VM_NO_REG};
    if (g->bytes && one_in(g, 2)) {
        ins.size = (uint8_t)(1u << below(g, 3));
        ins.off = (uint8_t)(ins.size * below(g, 2));
    }
    ins.weaker = order_of(g, op);
    return ins;
}

static void plain(maker *g) {
    bool reads = one_in(g, 2);
    put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READ : TSL_VM_WRITE,
                        .obj = (uint8_t)below(g, g->data),
                        .size = 8,
                        .reg = reads ? (uint8_t)below(g, TSL_VM_REGS) : TSL_VM_NO_REG,
                        .v = reads ? 0 : ++g->value});
}

static void fence(maker *g) {
    put(g, (tsl_vm_ins){
               .op = TSL_VM_FENCE, .reg = TSL_VM_NO_REG, .weaker = order_of(g, TSL_VM_FENCE)});
}

// Stores 1, 2 or 3, so that a compare-and-swap may find the value it expects.
static void set_flag(maker *g) {
    static const uint8_t ops[] = {TSL_VM_AWRITE, TSL_VM_AWRITE, TSL_VM_AWRITE, TSL_VM_RMW,
                                  TSL_VM_XCHG,   TSL_VM_CAS,    TSL_VM_CASW};
    tsl_vm_ins ins = on_flag(g, ops[below(g, sizeof ops)]);
    ins.v = (uint16_t)(1 + below(g, 2));
    if (ins.op == TSL_VM_AWRITE)
        ins.reg = TSL_VM_NO_REG;
    if (ins.op == TSL_VM_CAS || ins.op == TSL_VM_CASW) {
        static const uint8_t failures[] = {0, 0, 1, 2, 5};
        ins.v = (uint16_t)below(g, 2);
        ins.u = (uint16_t)(1 + below(g, 2));
        ins.fails_weaker = weaker(failures[below(g, sizeof failures)]);
    }
    put(g, ins);
}

static void publish(maker *g) {
    plain(g);
    if (one_in(g, 4))
        fence(g);
    set_flag(g);
}

static void receive(maker *g) {
    unsigned at = g->code->len;
    if (one_in(g, 3))
        set_flag(g);
    else
        put(g, on_flag(g, TSL_VM_AREAD));
    if (at >= g->code->len)
        return;
    unsigned reg = g->code->ins[at].reg, guard = g->code->len;
    bool guards = reg != TSL_VM_NO_REG && !one_in(g, 3);
    if (guards)
        put(g, (tsl_vm_ins){.op = one_in(g, 3) ? TSL_VM_SKIPNE : TSL_VM_SKIPEQ,
                            .reg = (uint8_t)reg,
                            .v = (uint16_t)below(g, 2)});
    g->room += guards;
    if (one_in(g, 4))
        fence(g);
    plain(g);
    if (guards && guard < g->code->len)
        g->code->ins[guard].u = (uint16_t)(g->code->len - guard - 1);
}

// A plain access of a flag.
static void mixed(maker *g) {
    tsl_vm_ins ins = on_flag(g, one_in(g, 2) ? TSL_VM_READ : TSL_VM_WRITE);
    ins.weaker = 0;
    if (ins.op == TSL_VM_WRITE) {
        ins.reg = TSL_VM_NO_REG;
        ins.v = (uint16_t)(1 + below(g, 2));
    }
    put(g, ins);
}

// A plain flag: the accesses of the data are kept apart only by the race on the flag.
static void guarded(maker *g) {
    put(g, (tsl_vm_ins){.op = TSL_VM_READ, .size = 8, .reg = 0});
    put(g, (tsl_vm_ins){.op = TSL_VM_SKIPEQ, .reg = 0, .v = 0, .u = 1});
    g->room++;
    put(g, (tsl_vm_ins){.op = one_in(g, 2) ? TSL_VM_READ : TSL_VM_WRITE,
                        .obj = 1,
                        .size = 8,
                        .reg = one_in(g, 2) ? 3 : TSL_VM_NO_REG,
                        .v = ++g->value});
    if (last_of(g)->op == TSL_VM_READ)
        last_of(g)->reg = 3;
}

// What a thread that looks at such a flag waits for.
static void plain_publish(maker *g) {
    put(g, (tsl_vm_ins){
               .op = TSL_VM_WRITE, .obj = 1, .size = 8, .reg = TSL_VM_NO_REG, .v = ++g->value});
    put(g, (tsl_vm_ins){
               .op = TSL_VM_WRITE, .obj = 0, .size = 8, .reg = TSL_VM_NO_REG, .v = ++g->value});
}

static void locked(maker *g) {
    put(g, (tsl_vm_ins){.op = TSL_VM_LOCK, .reg = TSL_VM_NO_REG});
    plain(g);
    put(g, (tsl_vm_ins){.op = TSL_VM_UNLOCK, .reg = TSL_VM_NO_REG});
}

static void block(maker *g) {
    switch (below(g, 18)) {
    case 0:
    case 1:
    case 2:
    case 3:
        publish(g);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
        receive(g);
        break;
    case 9:
    case 10:
        set_flag(g);
        break;
    case 11:
        put(g, on_flag(g, TSL_VM_AREAD));
        break;
    case 12:
        fence(g);
        break;
    case 13:
        mixed(g);
        break;
    case 14:
        locked(g);
        break;
    case 15:
        guarded(g);
        break;
    case 16:
        plain_publish(g);
        break;
    default:
        plain(g);
    }
}

// ---------------------------------------------------------------- one hand-over

// Data is handed over through one flag, and a third thread may come between.

static void store_flag(maker *g, unsigned op, unsigned v, unsigned u) {
    static const uint8_t failures[] = {0, 0, 2, 5};
    tsl_vm_ins ins = on_flag(g, op);
    ins.obj = FLAG;
    ins.v = (uint16_t)v;
    ins.u = (uint16_t)u;
    if (op == TSL_VM_AWRITE || op == TSL_VM_WRITE)
        ins.reg = TSL_VM_NO_REG;
    if (op == TSL_VM_WRITE)
        ins.weaker = 0;
    if (op == TSL_VM_CAS || op == TSL_VM_CASW)
        ins.fails_weaker = weaker(failures[below(g, sizeof failures)]);
    put(g, ins);
}

static void data_access(maker *g, bool reads) {
    put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READ : TSL_VM_WRITE,
                        .size = 8,
                        .reg = reads ? 3 : TSL_VM_NO_REG,
                        .v = reads ? 0 : ++g->value});
}

static void producer(maker *g) {
    data_access(g, false);
    if (one_in(g, 4))
        fence(g);
    store_flag(g, one_in(g, 5) ? TSL_VM_RMW : one_in(g, 8) ? TSL_VM_WRITE : TSL_VM_AWRITE, 1, 0);
    if (one_in(g, 3))
        store_flag(g, one_in(g, 4) ? TSL_VM_RMW : TSL_VM_AWRITE, one_in(g, 2) ? 2 : 1, 0);
}

// Changes 1 to 2, by one of several instructions.
static void between(maker *g) {
    switch (below(g, 5)) {
    case 0:
        store_flag(g, TSL_VM_RMW, 1, 0);
        break;
    case 1:
        store_flag(g, TSL_VM_AWRITE, 2, 0);
        break;
    case 2:
        store_flag(g, TSL_VM_XCHG, 2, 0);
        break;
    default:
        store_flag(g, one_in(g, 2) ? TSL_VM_CASW : TSL_VM_CAS, 1, 2);
    }
}

static void consumer(maker *g) {
    unsigned at = g->code->len;
    if (one_in(g, 3))
        store_flag(g, one_in(g, 2) ? TSL_VM_CAS : TSL_VM_RMW, 1 + one_in(g, 2), 3);
    else
        put(g, on_flag(g, one_in(g, 8) ? TSL_VM_READ : TSL_VM_AREAD));
    tsl_vm_ins *look = &g->code->ins[at];
    look->obj = FLAG;
    look->reg = 0;
    if (look->op == TSL_VM_READ)
        look->weaker = 0;
    bool fences = one_in(g, 4);
    uint16_t wanted = look->op == TSL_VM_CAS ? (uint16_t)one_in(g, 2) : (uint16_t)(1 + below(g, 3));
    put(g, (tsl_vm_ins){.op = TSL_VM_SKIPNE, .reg = 0, .v = wanted, .u = (uint16_t)(1 + fences)});
    if (fences)
        fence(g);
    data_access(g, one_in(g, 2));
}

static void hand_over(maker *g, tsl_vm_program *program) {
    static void (*const parts[])(maker *) = {producer, consumer, between};
    unsigned threads = one_in(g, 3) ? 2 : 3;
    g->data = g->flags = 1;
    g->bytes = false;
    program->nthreads = (uint8_t)(threads + 1);
    for (unsigned t = 1; t <= threads; t++) {
        g->code = &program->threads[t];
        parts[t - 1](g);
    }
}

// ---------------------------------------------------------------- programs

static void create_and_join(maker *g, unsigned threads, bool with_block) {
    for (unsigned t = 1; t <= threads; t++)
        put(g, (tsl_vm_ins){.op = TSL_VM_CREATE, .obj = (uint8_t)t, .reg = TSL_VM_NO_REG});
    if (with_block)
        block(g);
    for (unsigned t = 1; t <= threads; t++)
        if (!one_in(g, 8))
            put(g, (tsl_vm_ins){.op = TSL_VM_JOIN, .obj = (uint8_t)t, .reg = TSL_VM_NO_REG});
}

static void anything(maker *g, tsl_vm_program *program, enum tsl_vm_size size) {
    static const uint8_t rooms[2][4] = {{0, 0, 4, 2}, {0, 0, 6, 4}};
    unsigned threads = one_in(g, 2) ? 2 : 3;
    program->nthreads = (uint8_t)(threads + 1);
    for (unsigned t = 1; t <= threads; t++) {
        g->code = &program->threads[t];
        g->room = rooms[size][threads];
        do
            block(g);
        while (g->room > 1);
    }
}

void tsl_vm_generate_orders(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed) {
    maker g = {0};
    memset(program, 0, sizeof *program);
    tsl_rng_init(&g.rng, seed * 2 + size);
    g.data = 1 + one_in(&g, 3);
    g.flags = 1 + one_in(&g, 3);
    g.bytes = one_in(&g, 8);
    g.right = one_in(&g, 3);
    program->spurious = one_in(&g, 4);
    bool pattern = size == TSL_VM_SMALL && one_in(&g, 2);
    if (pattern)
        hand_over(&g, program);
    else
        anything(&g, program, size);
    g.code = &program->threads[0];
    create_and_join(&g, program->nthreads - 1u, !pattern && one_in(&g, 4));
    tsl_vm_program_seal(program);
}
