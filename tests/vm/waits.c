// Random model programs with loops that wait; see generate.h.
//
// Loops wait for what real programs wait for: flags, flags under a lock, locks made of exchanges
// and of compare-and-swaps, tickets, two words at once.  Other threads write what a loop waits for,
// or fail to.
#include <string.h>

#include "base/rng.h"
#include "vm/generate.h"

enum { FLAG, OTHER, LOCK_WORD, WORDS = 3 }; // and in turns: LOCK_WORD is free, 0, at first

typedef struct maker {
    tsl_rng rng;
    tsl_vm_code *code;
    int room;
    bool locks; // flags are read under a lock, and some thread looks at that lock
} maker;

#include "vm/maker.h"

static void memory(maker *g, unsigned op, unsigned word, unsigned v, unsigned reg) {
    put(g, (tsl_vm_ins){.op = (uint8_t)op,
                        .obj = (uint8_t)word,
                        .size = 8,
                        .v = (uint16_t)v,
                        .u = 1,
                        .reg = (uint8_t)reg});
}

static void read_word(maker *g, unsigned word, unsigned reg) {
    static const uint8_t ops[] = {TSL_VM_READ, TSL_VM_VREAD, TSL_VM_AREAD};
    memory(g, ops[below(g, 3)], word, 0, reg);
}

static void write_word(maker *g, unsigned word, unsigned v) {
    memory(g, one_in(g, 2) ? TSL_VM_WRITE : TSL_VM_AWRITE, word, v, TSL_VM_NO_REG);
}

// Ends a loop that began at `from` and runs until the register is v.
static void until(maker *g, unsigned from, unsigned reg, unsigned v, bool is) {
    put(g, (tsl_vm_ins){.op = is ? TSL_VM_AGAIN : TSL_VM_AGAINEQ,
                        .reg = (uint8_t)reg,
                        .v = (uint16_t)v,
                        .u = (uint16_t)(g->code->len - from)});
}

static unsigned some_word(maker *g) { return one_in(g, 3) ? OTHER : FLAG; }

// ---------------------------------------------------------------- waiting

static void flag(maker *g) {
    unsigned from = g->code->len, word = some_word(g);
    bool locks = g->locks || one_in(g, 6);
    if (locks)
        put_on(g, TSL_VM_LOCK, 0);
    read_word(g, word, 0);
    if (locks)
        put_on(g, TSL_VM_UNLOCK, 0);
    if (one_in(g, 4))
        put_on(g, TSL_VM_YIELD, 0);
    if (one_in(g, 2))
        until(g, from, 0, 0, false);
    else
        until(g, from, 0, 1 + one_in(g, 4), true);
}

// Waits until one word is as it was at first and another one has changed.
static void two_words(maker *g) {
    unsigned from = g->code->len;
    read_word(g, FLAG, 0);
    read_word(g, OTHER, 1);
    put(g, (tsl_vm_ins){.op = TSL_VM_ADD, .reg = 0, .reg2 = 0}); // twice
    put(g, (tsl_vm_ins){.op = TSL_VM_ADD, .reg = 1, .reg2 = 0});
    until(g, from, 1, 1, true);
}

static void region(maker *g) {
    if (one_in(g, 2))
        memory(g, TSL_VM_RMW, some_word(g), 1, 2);
    else
        write_word(g, some_word(g), 1);
}

static void exchanged(maker *g) {
    unsigned from = g->code->len;
    memory(g, TSL_VM_XCHG, LOCK_WORD, 1, 0);
    until(g, from, 0, 0, true);
    region(g);
    write_word(g, LOCK_WORD, 0);
}

static void compared(maker *g) {
    unsigned from = g->code->len;
    if (one_in(g, 2)) {
        read_word(g, LOCK_WORD, 0);
        until(g, from, 0, 0, true);
    }
    memory(g, TSL_VM_CAS, LOCK_WORD, 0, 1);
    until(g, from, 1, 1, true);
    region(g);
    write_word(g, LOCK_WORD, 0);
}

static void tried(maker *g) {
    unsigned from = g->code->len;
    put(g, (tsl_vm_ins){.op = TSL_VM_TRYLOCK, .obj = 0, .reg = 0});
    if (one_in(g, 3))
        put_on(g, TSL_VM_YIELD, 0);
    until(g, from, 0, 0, true);
    region(g);
    put_on(g, TSL_VM_UNLOCK, 0);
}

// ---------------------------------------------------------------- the others

static void looks_at_lock(maker *g) {
    put(g, (tsl_vm_ins){.op = TSL_VM_TRYLOCK, .obj = 0, .reg = 3});
    put(g, (tsl_vm_ins){.op = TSL_VM_SKIPNE, .reg = 3, .v = 0, .u = 1});
    put_on(g, TSL_VM_UNLOCK, 0);
    if (one_in(g, 2)) { // and tells
        put(g, (tsl_vm_ins){.op = TSL_VM_SKIPEQ, .reg = 3, .v = 0, .u = 1});
        write_word(g, OTHER, 1);
    }
}

static void tell(maker *g) {
    bool locks = g->locks ? !one_in(g, 4) : one_in(g, 6);
    if (locks)
        put_on(g, TSL_VM_LOCK, 0);
    write_word(g, some_word(g), one_in(g, 4) ? below(g, 3) : 1);
    if (locks)
        put_on(g, TSL_VM_UNLOCK, 0);
}

static void block(maker *g) {
    if (g->locks && one_in(g, 4)) {
        looks_at_lock(g);
        tell(g);
        return;
    }
    switch (below(g, 12)) {
    case 0:
    case 1:
        flag(g);
        break;
    case 2:
        two_words(g);
        break;
    case 3:
        exchanged(g);
        break;
    case 4:
        compared(g);
        break;
    case 5:
        tried(g);
        break;
    case 6:
        looks_at_lock(g);
        break;
    case 7:
        read_word(g, some_word(g), 3);
        break;
    default:
        tell(g);
    }
}

void tsl_vm_generate_waits(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed) {
    maker g = {0};
    tsl_rng_init(&g.rng, seed * 7919 + 5);
    unsigned threads = 2 + one_in(&g, 2), blocks = size == TSL_VM_LARGE ? 3 : threads == 2 ? 2 : 1;
    g.locks = one_in(&g, 3);
    program->nthreads = (uint8_t)(threads + 1);
    for (unsigned t = 1; t <= threads; t++) {
        g.code = &program->threads[t];
        for (unsigned n = 1 + below(&g, blocks); n > 0; n--)
            block(&g);
    }
    g.code = &program->threads[0];
    for (unsigned t = 1; t <= threads; t++)
        put_on(&g, TSL_VM_CREATE, t);
    if (one_in(&g, 4))
        block(&g);
    for (unsigned t = 1; t <= threads; t++)
        if (!one_in(&g, 6))
            put_on(&g, TSL_VM_JOIN, t);
    tsl_vm_program_seal(program);
}
