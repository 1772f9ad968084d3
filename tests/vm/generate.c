// Random model programs; see generate.h.
//
// The code of a thread is a row of blocks.  A block is a few instructions that belong together: a
// locked region, a wait inside one, a try with what depends on its result.
#include "vm/generate.h"

#include <string.h>

#include "base/rng.h"

const char *const tsl_vm_profile_names[] = {"memory",
                                            "locks",
                                            "conditions",
                                            "semaphores",
                                            "rwlocks",
                                            "barriers",
                                            "atomics",
                                            "choices",
                                            "threads",
                                            "everything",
                                            "alone",
                                            "branches",
                                            "pins",
                                            "assumptions",
                                            "input-choices",
                                            "input-atomics",
                                            "input-everything",
                                            "crowds",
                                            "waits",
                                            "cancels",
                                            "exits",
                                            "orders",
                                            "opaques",
                                            "kills",
                                            NULL};

typedef struct maker {
    tsl_rng rng;
    tsl_vm_program *program;
    tsl_vm_code *code; // the thread being written
    int room;          // instructions it may still get
    unsigned thread, words, mutexes, conds, rwlocks;
    uint16_t value; // of the next write, so that all writes differ
    bool mixed_sizes, use_serial;
    bool together;      // all threads meet at barrier 0
    unsigned inputs;    // how many may still be asked for
    bool main_asks;     // main asks for one of them and stores it where other threads find it
    uint8_t from_input; // a register that may depend on an input, or TSL_VM_NO_REG
    enum tsl_vm_profile profile;
} maker;

#include "vm/maker.h"

static uint8_t any_reg(maker *g) { return (uint8_t)below(g, TSL_VM_REGS); }

static void put_try(maker *g, unsigned op, unsigned obj, unsigned reg) {
    put(g, (tsl_vm_ins){.op = (uint8_t)op, .obj = (uint8_t)obj, .reg = (uint8_t)reg});
}

// ---------------------------------------------------------------- memory

static void memory(maker *g, unsigned op) {
    tsl_vm_ins ins = {
        .op = (uint8_t)op, .obj = (uint8_t)below(g, g->words), .size = 8, .reg = any_reg(g)};
    if (g->mixed_sizes && !one_in(g, 3)) {
        ins.size = (uint8_t)(1u << below(g, 4));
        ins.off = (uint8_t)(ins.size * below(g, 8u / ins.size));
        if (ins.size > 1 && ins.off + ins.size < 8 && one_in(g, 6))
            ins.off++; // unaligned
    }
    bool writes = op == TSL_VM_WRITE || op == TSL_VM_AWRITE || op == TSL_VM_VWRITE;
    if (writes && !one_in(g, 3))
        ins.reg = TSL_VM_NO_REG;
    ins.v = op == TSL_VM_CAS ? (uint16_t)below(g, 3) : ++g->value;
    if (op == TSL_VM_RMW)
        ins.v = 1;
    ins.u = (uint16_t)(1 + below(g, 2));
    put(g, ins);
}

static void access(maker *g) {
    static const uint8_t rare[] = {TSL_VM_VREAD, TSL_VM_VWRITE, TSL_VM_AREAD, TSL_VM_AWRITE};
    memory(g, one_in(g, 8) ? rare[below(g, 4)] : one_in(g, 2) ? TSL_VM_READ : TSL_VM_WRITE);
}

static void atomic(maker *g) {
    static const uint8_t ops[] = {TSL_VM_CAS,    TSL_VM_CAS, TSL_VM_RMW, TSL_VM_AREAD,
                                  TSL_VM_AWRITE, TSL_VM_CAS, TSL_VM_READ};
    memory(g, ops[below(g, sizeof ops)]);
}

// What goes inside a region.
static void inside(maker *g) {
    for (unsigned n = below(g, 3); n > 0 && g->room > 1; n--)
        access(g);
}

// The next instructions, from `from` on, are skipped by this one.
static void guard_by(maker *g, unsigned from, tsl_vm_ins skip) {
    tsl_vm_code *c = g->code;
    if (c->len >= TSL_VM_CODE || from >= c->len)
        return;
    memmove(&c->ins[from + 1], &c->ins[from], (c->len - from) * sizeof *c->ins);
    skip.u = (uint16_t)(c->len - from);
    c->ins[from] = skip;
    c->len++;
}

// They run only if the last result was `wanted`.
static void guard(maker *g, unsigned from, unsigned reg, uint16_t wanted) {
    guard_by(g, from, (tsl_vm_ins){.op = TSL_VM_SKIPNE, .reg = (uint8_t)reg, .v = wanted});
}

// Any register will do for the result of a try: its guard comes right after, so nothing overwrites
// it.
static void attempt(maker *g, unsigned try_op, unsigned obj, unsigned release) {
    unsigned reg = any_reg(g);
    put_try(g, try_op, obj, reg);
    unsigned from = g->code->len;
    inside(g);
    put_on(g, release, obj);
    guard(g, from, reg, 0);
}

// ---------------------------------------------------------------- locks

static void locked(maker *g) {
    unsigned m = below(g, g->mutexes), other = below(g, g->mutexes);
    if (one_in(g, 5)) {
        attempt(g, one_in(g, 3) ? TSL_VM_TIMEDLOCK : TSL_VM_TRYLOCK, m, TSL_VM_UNLOCK);
        return;
    }
    put_on(g, TSL_VM_LOCK, m);
    if (other != m && one_in(g, 2)) {
        put_on(g, TSL_VM_LOCK, other);
        inside(g);
        bool crossed = one_in(g, 4);
        put_on(g, TSL_VM_UNLOCK, crossed ? m : other);
        put_on(g, TSL_VM_UNLOCK, crossed ? other : m);
        return;
    }
    inside(g);
    if (!one_in(g, 12)) // an owner may end and leave it locked
        put_on(g, TSL_VM_UNLOCK, m);
}

static void read_write_locked(maker *g) {
    unsigned l = below(g, g->rwlocks);
    switch (below(g, 6)) {
    case 0:
        attempt(g, TSL_VM_TRYRDLOCK, l, TSL_VM_RWUNLOCK);
        return;
    case 1:
        attempt(g, TSL_VM_TRYWRLOCK, l, TSL_VM_RWUNLOCK);
        return;
    case 2:
    case 3:
        put_on(g, TSL_VM_WRLOCK, l);
        break;
    default:
        put_on(g, TSL_VM_RDLOCK, l);
    }
    inside(g);
    put_on(g, TSL_VM_RWUNLOCK, l);
}

// ---------------------------------------------------------------- conditions

static void waits(maker *g) {
    unsigned m = below(g, g->mutexes), c = below(g, g->conds);
    put_on(g, TSL_VM_LOCK, m);
    unsigned from = g->code->len, reg = 0;
    bool looks = one_in(g, 2);
    if (looks) {
        memory(g, TSL_VM_READ);
        reg = g->code->ins[from].reg;
        from++;
    }
    if (one_in(g, 3))
        put(g,
            (tsl_vm_ins){
                .op = TSL_VM_TIMEDWAIT, .obj = (uint8_t)c, .mutex = (uint8_t)m, .reg = any_reg(g)});
    else
        put(g,
            (tsl_vm_ins){
                .op = TSL_VM_WAIT, .obj = (uint8_t)c, .mutex = (uint8_t)m, .reg = TSL_VM_NO_REG});
    if (looks)
        guard(g, from, reg, 0);
    if (one_in(g, 3))
        access(g);
    put_on(g, TSL_VM_UNLOCK, m);
}

static void signals(maker *g) {
    unsigned op = one_in(g, 3) ? TSL_VM_BROADCAST : TSL_VM_SIGNAL, c = below(g, g->conds);
    unsigned m = below(g, g->mutexes);
    bool locks = one_in(g, 2);
    if (locks) {
        put_on(g, TSL_VM_LOCK, m);
        if (one_in(g, 2))
            memory(g, TSL_VM_WRITE);
    }
    put_on(g, op, c);
    if (locks)
        put_on(g, TSL_VM_UNLOCK, m);
}

static void condition(maker *g) {
    // If all threads waited, the profile would have nothing but deadlocks.
    if (below(g, 5) < 2)
        waits(g);
    else
        signals(g);
}

// ---------------------------------------------------------------- the rest

static void semaphore(maker *g) {
    unsigned s = below(g, g->program->nsems);
    switch (below(g, 8)) {
    case 0:
        put_try(g, TSL_VM_SEMTRYWAIT, s, any_reg(g));
        break;
    case 1:
        put_try(g, TSL_VM_SEMGET, s, any_reg(g));
        break;
    case 2:
    case 3:
    case 4:
        put_on(g, TSL_VM_SEMPOST, s);
        break;
    default:
        put_on(g, TSL_VM_SEMWAIT, s);
    }
}

static void once(maker *g) {
    unsigned o = below(g, 2), from = g->code->len;
    put_on(g, TSL_VM_ONCE, o);
    if (one_in(g, 2))
        access(g);
    put_on(g, TSL_VM_ONCEDONE, o);
    if (from < g->code->len)
        g->code->ins[from].v = (uint16_t)(g->code->len - from - 1);
}

static void barrier(maker *g) {
    unsigned reg = g->use_serial ? any_reg(g) : TSL_VM_NO_REG;
    put_try(g, TSL_VM_BARRIER, below(g, g->program->nbarriers), reg);
}

static void chosen(maker *g) {
    unsigned reg = any_reg(g), from;
    put(g,
        (tsl_vm_ins){.op = TSL_VM_CHOOSE, .v = (uint16_t)(2 + one_in(g, 4)), .reg = (uint8_t)reg});
    from = g->code->len;
    memory(g, one_in(g, 2) ? TSL_VM_WRITE : TSL_VM_READ);
    if (one_in(g, 2))
        guard(g, from, reg, (uint16_t)below(g, 2));
}

static void conditional(maker *g) {
    unsigned from = g->code->len;
    memory(g, TSL_VM_READ);
    if (from >= g->code->len)
        return;
    unsigned reg = g->code->ins[from++].reg;
    access(g);
    guard(g, from, reg, one_in(g, 2) ? 0 : g->value);
}

static void block_of(maker *g, enum tsl_vm_profile profile) {
    switch (profile) {
    case TSL_VM_MEMORY:
        if (one_in(g, 5))
            conditional(g);
        else
            access(g);
        break;
    case TSL_VM_LOCKS:
        locked(g);
        break;
    case TSL_VM_CONDITIONS:
        condition(g);
        break;
    case TSL_VM_SEMAPHORES:
        semaphore(g);
        break;
    case TSL_VM_RWLOCKS:
        read_write_locked(g);
        break;
    case TSL_VM_BARRIERS:
        if (one_in(g, 3))
            once(g);
        else
            barrier(g);
        break;
    case TSL_VM_ATOMICS:
        atomic(g);
        break;
    case TSL_VM_CHOICES:
        chosen(g);
        break;
    default:
        if (one_in(g, 6))
            put_on(g, TSL_VM_YIELD, 0);
        else
            access(g);
    }
}

// ---------------------------------------------------------------- inputs

// No step: needs no room.
static void put_local(maker *g, tsl_vm_ins ins) {
    put(g, ins);
    g->room++;
}

static void ask(maker *g) {
    g->inputs--;
    g->from_input = any_reg(g);
    put_local(g, (tsl_vm_ins){.op = TSL_VM_INPUT, .reg = g->from_input});
}

static void calculate(maker *g) {
    put_local(g, (tsl_vm_ins){.op = one_in(g, 2) ? TSL_VM_ADD : TSL_VM_XOR,
                              .reg = g->from_input,
                              .reg2 = one_in(g, 2) ? TSL_VM_NO_REG : any_reg(g),
                              .v = (uint16_t)below(g, 4)});
}

// A store into memory, or a load.
static void pass_on(maker *g) {
    unsigned at = g->code->len;
    bool writes = one_in(g, 2);
    memory(g, writes ? TSL_VM_WRITE : TSL_VM_READ);
    if (at >= g->code->len)
        return;
    if (writes) {
        g->code->ins[at].reg = g->from_input;
        g->code->ins[at].v = (uint16_t)below(g, 2);
    } else
        g->from_input = g->code->ins[at].reg;
}

static void decided(maker *g) {
    if (g->profile == TSL_VM_INPUT_EVERYTHING && one_in(g, 2))
        block_of(g, (enum tsl_vm_profile)below(g, TSL_VM_EVERYTHING));
    else if (g->profile == TSL_VM_INPUT_ATOMICS && one_in(g, 2))
        atomic(g);
    else if (one_in(g, 4))
        pass_on(g);
    else
        access(g);
}

static void decide(maker *g) {
    static const uint8_t ops[] = {TSL_VM_SKIPEQ, TSL_VM_SKIPNE, TSL_VM_SKIPLT, TSL_VM_SKIPSAME};
    tsl_vm_ins skip = {.op = ops[below(g, sizeof ops)],
                       .reg = g->from_input,
                       .reg2 = any_reg(g),
                       .v = (uint16_t)below(g, 4)};
    unsigned from = g->code->len;
    decided(g);
    if (one_in(g, 4))
        decided(g);
    guard_by(g, from, skip);
}

static void address(maker *g) {
    bool reads = one_in(g, 2);
    put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READAT : TSL_VM_WRITEAT,
                        .size = 8,
                        .reg2 = g->from_input,
                        .reg = reads || one_in(g, 3) ? any_reg(g) : TSL_VM_NO_REG,
                        .v = ++g->value});
}

static void assume(maker *g) {
    put_local(g, (tsl_vm_ins){
                     .op = TSL_VM_ASSUME, .reg = g->from_input, .v = (uint16_t)(1 + below(g, 3))});
}

static void of_profile(maker *g) {
    switch (g->profile) {
    case TSL_VM_PINS:
        address(g);
        break;
    case TSL_VM_ASSUMPTIONS:
        assume(g);
        access(g);
        break;
    case TSL_VM_INPUT_CHOICES:
        chosen(g);
        break;
    case TSL_VM_INPUT_ATOMICS:
        atomic(g);
        break;
    case TSL_VM_INPUT_EVERYTHING:
        block_of(g, (enum tsl_vm_profile)below(g, TSL_VM_EVERYTHING));
        break;
    case TSL_VM_ALONE: {
        static void (*const any[])(maker *) = {address, assume, chosen, decide};
        any[below(g, 4)](g);
        break;
    }
    default:
        decide(g);
    }
}

static void input_block(maker *g) {
    bool has = g->from_input != TSL_VM_NO_REG;
    if (g->inputs > (g->main_asks && g->thread) && (!has || one_in(g, 4)))
        ask(g);
    else if (!has) { // perhaps another thread has stored an input there
        memory(g, TSL_VM_READ);
        g->from_input = g->code->ins[g->code->len - 1].reg;
        return;
    }
    if (one_in(g, 4))
        calculate(g);
    switch (below(g, 8)) {
    case 0:
        access(g);
        break;
    case 1:
    case 2:
        pass_on(g);
        break;
    case 3:
    case 4:
        decide(g);
        break;
    default:
        of_profile(g);
    }
}

// ---------------------------------------------------------------- blocks

static void block(maker *g) {
    if (g->profile >= TSL_VM_PROFILE_COUNT)
        input_block(g);
    else if (g->profile == TSL_VM_EVERYTHING)
        block_of(g, (enum tsl_vm_profile)below(g, TSL_VM_EVERYTHING));
    else if (g->profile != TSL_VM_MEMORY && one_in(g, 4))
        access(g);
    else
        block_of(g, g->profile);
}

// ---------------------------------------------------------------- threads

static void begin(maker *g, unsigned thread, int room) {
    g->thread = thread;
    g->code = &g->program->threads[thread];
    g->room = room;
    g->from_input = TSL_VM_NO_REG;
}

static void body(maker *g, unsigned thread, int room) {
    begin(g, thread, room);
    unsigned meet_at = below(g, (unsigned)room);
    bool met = !g->together;
    do {
        if (!met && g->code->len >= meet_at) {
            put_try(g, TSL_VM_BARRIER, 0, g->use_serial ? any_reg(g) : TSL_VM_NO_REG);
            met = true;
        } else if (g->together)
            access(g);
        else
            block(g);
    } while (g->room > 0 || !met);
}

// Accesses of two words and of two bytes of each.  If the thread looks at an input, each access has
// several decisions before it.
static void crowded(maker *g, unsigned thread, bool looks) {
    static const uint8_t offs[] = {0, 0, 0, 1}, sizes[] = {8, 8, 1, 1};
    begin(g, thread, 9);
    if (looks && g->main_asks) {
        g->from_input = 0;
        put(g, (tsl_vm_ins){.op = TSL_VM_READ, .obj = 2, .size = 8, .reg = g->from_input});
    } else if (looks)
        ask(g);
    for (unsigned n = 1 + (looks || one_in(g, 2)); n > 0; n--) {
        for (unsigned k = 2 + one_in(g, 3); looks && k > 0; k--)
            if (n == 1 || one_in(g, 3))
                put_local(g, (tsl_vm_ins){.op = one_in(g, 2) ? TSL_VM_SKIPEQ : TSL_VM_SKIPLT,
                                          .reg = g->from_input,
                                          .v = (uint16_t)(1 + below(g, 3)),
                                          .u = 1});
        bool reads = one_in(g, 3);
        unsigned at = below(g, 4);
        put(g, (tsl_vm_ins){.op = reads ? TSL_VM_READ : TSL_VM_WRITE,
                            .obj = (uint8_t)below(g, 2),
                            .off = offs[at],
                            .size = sizes[at],
                            .reg = reads ? (uint8_t)(1 + below(g, 3)) : TSL_VM_NO_REG,
                            .v = ++g->value});
    }
}

static void crowd(maker *g) {
    unsigned threads = 3 + one_in(g, 3), looking = 0;
    g->program->nthreads = (uint8_t)(threads + 1);
    g->inputs = 2;
    for (unsigned t = 1; t <= threads; t++) {
        bool looks = looking < 2 && (one_in(g, 2) || (t == threads && !looking));
        looking += looks;
        crowded(g, t, looks);
    }
    begin(g, 0, 1);
    if (g->main_asks) {
        ask(g);
        put(g, (tsl_vm_ins){.op = TSL_VM_WRITE, .obj = 2, .size = 8, .reg = g->from_input});
    }
    for (unsigned t = 1; t <= threads; t++)
        put_on(g, TSL_VM_CREATE, t);
}

static void declare(maker *g, unsigned threads) {
    tsl_vm_program *p = g->program;
    bool all = g->profile == TSL_VM_EVERYTHING || g->profile == TSL_VM_INPUT_EVERYTHING;
    if (all || g->profile == TSL_VM_SEMAPHORES) {
        p->nsems = (uint8_t)(1 + one_in(g, 3));
        for (unsigned i = 0; i < p->nsems; i++)
            p->sems[i] = (uint8_t)below(g, 3);
    }
    if (all || g->profile == TSL_VM_BARRIERS) {
        p->nbarriers = (uint8_t)(1 + one_in(g, 4));
        for (unsigned i = 0; i < p->nbarriers; i++)
            p->barriers[i] = (uint8_t)(2 + one_in(g, 4) - one_in(g, 8));
        g->together = !all && one_in(g, 2);
        if (g->together)
            p->barriers[0] = (uint8_t)threads;
    }
    p->spurious = (all || g->profile == TSL_VM_CONDITIONS) && one_in(g, 10);
    g->words = 1 + one_in(g, 3);
    g->mutexes = 1 + one_in(g, 2);
    if (g->profile == TSL_VM_LOCKS)
        g->mutexes = 2;
    g->conds = 1 + one_in(g, 5);
    g->rwlocks = 1 + one_in(g, 4);
    g->mixed_sizes = one_in(g, g->profile < TSL_VM_PROFILE_COUNT ? 3 : 8);
    g->use_serial = one_in(g, 2);
}

// Somewhere between the blocks of its parent: before its code or after it.
static void create_nested(maker *g, unsigned parent, unsigned child) {
    tsl_vm_code *c = &g->program->threads[parent];
    if (c->len + 2 > TSL_VM_CODE)
        return;
    if (one_in(g, 2)) {
        memmove(&c->ins[1], &c->ins[0], c->len * sizeof *c->ins);
        c->ins[0] = (tsl_vm_ins){.op = TSL_VM_CREATE, .obj = (uint8_t)child, .reg = TSL_VM_NO_REG};
        c->len++;
    } else {
        begin(g, parent, 2);
        put_on(g, TSL_VM_CREATE, child);
    }
    begin(g, parent, 2);
    if (!one_in(g, 3))
        put_on(g, TSL_VM_JOIN, child);
}

static void write_main(maker *g, unsigned threads, unsigned nested, enum tsl_vm_size size) {
    begin(g, 0, 1);
    if (g->main_asks) {
        ask(g);
        memory(g, TSL_VM_WRITE);
        g->code->ins[g->code->len - 1].reg = g->from_input;
        g->code->ins[g->code->len - 1].v = 0;
    }
    for (unsigned t = 1; t <= threads; t++)
        if (t != nested)
            put_on(g, TSL_VM_CREATE, t);
    g->room = 1;
    if (one_in(g, size == TSL_VM_LARGE ? 2 : 4))
        block(g);
    bool tries = g->profile >= TSL_VM_THREADING && g->profile <= TSL_VM_EVERYTHING && one_in(g, 2);
    if (tries)
        put_try(g, TSL_VM_TRYJOIN, 1 + below(g, threads - (nested > 0)), any_reg(g));
    if (tries || one_in(g, 8))
        return;
    for (unsigned t = 1; t <= threads; t++)
        if (t != nested && !one_in(g, 10))
            put_on(g, TSL_VM_JOIN, t);
}

void tsl_vm_generate(tsl_vm_program *program, enum tsl_vm_profile profile, enum tsl_vm_size size,
                     uint64_t seed) {
    memset(program, 0, sizeof *program);
    if (profile == TSL_VM_WAITS) {
        tsl_vm_generate_waits(program, size, seed);
        return;
    }
    if (profile == TSL_VM_EXITS) {
        tsl_vm_generate_exits(program, size, seed);
        return;
    }
    if (profile == TSL_VM_OPAQUES) {
        tsl_vm_generate_opaques(program, size, seed);
        return;
    }
    if (profile == TSL_VM_KILLS) {
        tsl_vm_generate_kills(program, size, seed);
        return;
    }
    if (profile == TSL_VM_CANCELS) {
        tsl_vm_generate_cancels(program, size, seed);
        return;
    }
    if (profile == TSL_VM_ORDERS) {
        tsl_vm_generate_orders(program, size, seed);
        return;
    }
    maker g = {.program = program, .profile = profile};
    tsl_rng_init(&g.rng, seed * TSL_VM_PROFILE_COUNT + profile);
    static const uint8_t rooms[2][5] = {{0, 0, 4, 2, 1}, {0, 0, 6, 4, 3}};
    unsigned threads = one_in(&g, 2) ? 2 : one_in(&g, 4) && size == TSL_VM_LARGE ? 4 : 3;
    unsigned room = rooms[size][threads];
    bool multiplies = profile == TSL_VM_CHOICES || profile >= TSL_VM_PROFILE_COUNT;
    if (multiplies && room > 1)
        room--;
    declare(&g, threads);
    if (profile >= TSL_VM_PROFILE_COUNT)
        g.inputs = 1 + one_in(&g, profile == TSL_VM_PINS ? 4 : 2);
    g.main_asks = g.inputs && one_in(&g, 2);
    if (profile == TSL_VM_ALONE) {
        g.inputs++;
        program->nthreads = 1;
        body(&g, 0, (int)(4 + below(&g, 5)));
    } else if (profile == TSL_VM_CROWDS)
        crowd(&g);
    if (program->nthreads) {
        tsl_vm_program_seal(program);
        return;
    }
    bool nests = one_in(&g, profile == TSL_VM_THREADING ? 2 : 6);
    unsigned nested = nests ? threads : 0; // the last one, by the one before it
    program->nthreads = (uint8_t)(threads + 1);
    for (unsigned t = 1; t <= threads; t++)
        body(&g, t, (int)(1 + below(&g, room)));
    if (nested)
        create_nested(&g, nested - 1, nested);
    write_main(&g, threads, nested, size);
    tsl_vm_program_seal(program);
}
