// Input branches: branches, switches, addresses and checks that depend on inputs.
//
// Each one is a BRANCH event with the label of its condition and the outcome.  It is a step of its
// thread that is not scheduled: no other thread can run between it and the step before.  A thread
// does not record a condition twice.  It does record a condition that another thread has recorded:
// which thread came first depends on the schedule, and what a thread records must not.
#include <ctype.h>
#include <string.h>

#include "../state.h"
#include "symbol.h"

// ---------------------------------------------------------------- what is not followed

void symbol_lost(enum tsl_lost why, uint32_t site) {
    static const char *const texts[TSL_LOST_KINDS] = {
        [TSL_LOST_FLOAT] = "floating point is not followed: numbers that depend on inputs "
                           "are taken as they come",
        [TSL_LOST_SHIFT] = "a shift by as many bits as there are is taken as it comes",
        [TSL_LOST_MEMORY] = "code that is not instrumented changed memory that depended on inputs",
        [TSL_LOST_FULL] = "the table of expressions is full: long runs go on with inputs as "
                          "they are",
        [TSL_LOST_SIZE] = "a size that depends on inputs is taken as it comes",
        [TSL_LOST_OTHER] =
            "vectors, wide atomics and inline assembly are not followed: values that "
            "depend on inputs are taken as they come",
        [TSL_LOST_CALL] = "an argument that depends on inputs is taken as it comes",
    };
    if (why == TSL_LOST_FULL && RUN->inputs.said_full) // this may come millions of times
        return;
    RUN->inputs.said_full |= why == TSL_LOST_FULL;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say_at(site ? site : SELF->pend.site, "%s", texts[why]);
}

TSL_SLOW void __teasel_sym_lost_slow(uint32_t label, uint32_t why, uint32_t site) {
    (void)label;
    if (SYM->nodes)
        symbol_lost((enum tsl_lost)why, site);
}

// ---------------------------------------------------------------- branches

// A table of (run, thread, label).  Entries of other runs are free, so it is never cleared.
static uint64_t *decided(uint32_t label) {
    uint64_t key = ((uint64_t)SYM->run << 13 | SELF->id) << 18 | label;
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (TSLRT_DECIDED_SIZE - 1);
    while (TSLRT_DECIDED[at] >> 31 == SYM->run && TSLRT_DECIDED[at] != key)
        at = (at + 1) & (TSLRT_DECIDED_SIZE - 1);
    return &TSLRT_DECIDED[at];
}

static bool is_decided(uint32_t label) { return *decided(label) >> 31 == SYM->run; }

static void set_decided(uint32_t label) {
    if (SYM->ndecided == TSLRT_DECIDED_SIZE / 2) // full: the condition is recorded each time
        return;
    SYM->ndecided++;
    *decided(label) = ((uint64_t)SYM->run << 13 | SELF->id) << 18 | label;
}

bool branch_is_open(uint32_t label) {
    return label && node_at(label)->op != TSL_EXPR_CONST && !is_decided(label);
}

void branch_on(uint32_t label, bool taken, unsigned flags, uint32_t site) {
    if (label && node_at(label)->op == TSL_EXPR_NOT) {
        branch_on(node_at(label)->a, !taken, flags, site);
        return;
    }
    if (!branch_is_open(label))
        return;
    if (SYM->branches >= SYM->max_branches) {
        RUN->trace.flags |= TSL_TRACE_DEPTH;
        return;
    }
    SYM->branches++;
    set_decided(label);
    tslrt_free_step(TSL_EV_BRANCH, label, (unsigned)taken | flags, site);
}

void branch_pin(uint32_t label, uint32_t site) {
    unsigned width = node_at(label)->width;
    branch_on(node_test(TSL_EXPR_EQ, label, node_const(width, value_of(label))), true,
              tsl_pin_res((uint64_t)value_of(label)), site);
}

TSL_SLOW void __teasel_sym_branch_slow(uint32_t label, uint32_t taken, uint32_t site) {
    if (SYM->nodes)
        branch_on(label, taken != 0, 0, site);
}

// One event per target of the switch, up to the one that is taken: is the value one of its cases?
TSL_SLOW void __teasel_sym_switch_slow(uint32_t label, uint64_t value, const uint64_t *cases,
                                       uint32_t n, uint32_t width, uint32_t site) {
    if (!SYM->nodes)
        return;
    uint64_t targets = 0, taken = 0;
    for (uint32_t i = 0; i < n; i++) {
        targets = cases[2 * i + 1] > targets ? cases[2 * i + 1] : targets;
        taken = cases[2 * i] == value ? cases[2 * i + 1] : taken;
    }
    for (uint64_t t = 1; t <= targets; t++) {
        uint32_t any = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (cases[2 * i + 1] != t)
                continue;
            uint32_t is = node_test(TSL_EXPR_EQ, label, node_const(width, cases[2 * i]));
            any = any ? node_two(TSL_EXPR_OR, 1, any, is) : is;
        }
        branch_on(any, t == taken, 0, site);
        if (t == taken)
            return;
    }
}

// ---------------------------------------------------------------- addresses

// An object that an address points into.
typedef struct object {
    const char *start;
    uint64_t size;
    bool is_constant;
} object;

// The classes of characters are tables of libc, read with the character as index.
static bool find_table(const void *p, object *o) {
    const object known[] = {
        {(const char *)(*__ctype_b_loc() - 128), 384 * 2, true},
        {(const char *)(*__ctype_tolower_loc() - 128), 384 * 4, true},
        {(const char *)(*__ctype_toupper_loc() - 128), 384 * 4, true},
    };
    for (unsigned i = 0; i < 3; i++)
        if ((const char *)p >= known[i].start && (const char *)p < known[i].start + known[i].size) {
            *o = known[i];
            return true;
        }
    return false;
}

// The base of an address: the constant part of base + scale * index.
static uintptr_t base_of(uint32_t label) {
    const tsl_expr *sum = node_at(label);
    while (sum->op == TSL_EXPR_ADD && node_at(sum->b)->op != TSL_EXPR_CONST)
        sum = node_at(sum->b);
    return sum->op == TSL_EXPR_ADD ? (uintptr_t)node_at(sum->b)->lo : 0;
}

static bool find_object(uint32_t label, const void *p, uint32_t use, void *known,
                        uint64_t known_size, object *o) {
    tsl_block_info block;
    *o = (object){known, known_size, use == TSL_SYM_LOADS_CONSTANT};
    if (known || find_table(p, o))
        return true;
    uintptr_t base = base_of(label);
    if (!base || !tslrt_heap_block(base, &block) || block.freed)
        return false;
    *o = (object){(const char *)block.addr, block.size, false};
    return true;
}

// An access that does not lie entirely in the object is a bug.
static void check_bounds(uint32_t label, const void *p, uint64_t size, const object *o,
                         uint32_t site) {
    if (o->size < size)
        return;
    uint64_t room = o->size - size + 1, offset = (uint64_t)p - (uint64_t)o->start;
    uint32_t at = node_two(TSL_EXPR_SUB, 64, label, node_const(64, (uint64_t)o->start));
    branch_on(node_test(TSL_EXPR_ULT, at, node_const(64, room)), offset < room, TSL_BRANCH_CHECK,
              site);
    if (offset >= room)
        tslrt_end(TSL_OUT_OUT_OF_BOUNDS, site, p,
                  "%lu byte%s at offset %ld of an object of %lu bytes", (unsigned long)size,
                  size == 1 ? "" : "s", (long)offset, (unsigned long)o->size);
}

// The index of the element at an address of the form base + element * index; 0 for other addresses.
static uint32_t index_of(uint32_t label, const object *o, uint64_t element) {
    const tsl_expr *sum = node_at(label);
    if (sum->op != TSL_EXPR_ADD || node_at(sum->b)->op != TSL_EXPR_CONST)
        return 0;
    const tsl_expr *product = node_at(sum->a);
    uint32_t index = element == 1 ? sum->a : 0;
    if (product->op == TSL_EXPR_MUL && node_at(product->b)->op == TSL_EXPR_CONST &&
        node_at(product->b)->lo == element)
        index = product->a;
    uint64_t offset = node_at(sum->b)->lo - (uint64_t)o->start;
    if (!index || offset % element)
        return 0;
    return offset ? node_two(TSL_EXPR_ADD, 64, index, node_const(64, offset / element)) : index;
}

// A load from a small constant object is a look-up in a table.
static bool look_up(uint32_t label, const void *p, uint64_t size, const object *o) {
    enum { MOST = 4096 };
    if (!o->is_constant || o->size > MOST || (size != 1 && size != 2 && size != 4 && size != 8))
        return false;
    uint32_t index = index_of(label, o, size);
    if (!index)
        return false;
    SYM->lookup_label = node_lookup(index, o->start, (uint32_t)(o->size / size), (unsigned)size);
    SYM->lookup_at = p;
    return SYM->lookup_label != 0;
}

TSL_SLOW void __teasel_sym_address_slow(uint32_t label, void *p, uint64_t size, uint32_t use,
                                        uint32_t site, void *known, uint64_t known_size) {
    object o;
    if (!SYM->nodes)
        return;
    SYM->lookup_at = NULL;
    if (use != TSL_SYM_CALLS && find_object(label, p, use, known, known_size, &o)) {
        check_bounds(label, p, size, &o, site);
        if (use <= TSL_SYM_LOADS_CONSTANT && look_up(label, p, size, &o))
            return;
    }
    branch_pin(label, site);
}

TSL_SLOW void __teasel_sym_length_slow(uint32_t label, uint64_t size, uint32_t site) {
    (void)size;
    if (SYM->nodes)
        branch_pin(label, site);
}

// If the exit status matters, each value of it is another path.
void tslrt_symbols_exit(uint32_t label, uint32_t site) {
    if (SYM->nodes && label && (RUN->plan->flags & TSL_PLAN_EXIT_STATUS))
        branch_pin(node_cut(8, 0, label), site);
}

// ---------------------------------------------------------------- checks

static void check_division(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t b,
                           uint32_t site) {
    unsigned op = code & 255u, width = code >> 8 & 255u;
    wide least = (wide)1 << (width - 1), minus_one = wide_mask(width);
    if (lb)
        branch_on(node_test(TSL_EXPR_EQ, lb, node_const(width, 0)), b == 0, TSL_BRANCH_CHECK, site);
    if (b == 0 || (op != TSL_EXPR_SDIV && op != TSL_EXPR_SREM))
        return;
    uint32_t x = node_test(TSL_EXPR_EQ, node_or_const(la, width, a), node_const(width, least));
    uint32_t y = node_test(TSL_EXPR_EQ, node_or_const(lb, width, b), node_const(width, minus_one));
    branch_on(node_two(TSL_EXPR_AND, 1, x, y), a == (uint64_t)least && b == (uint64_t)minus_one,
              TSL_BRANCH_CHECK, site);
}

TSL_SLOW void __teasel_sym_check_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                      uint64_t b, uint32_t site) {
    unsigned op = code & 255u;
    if (!SYM->nodes)
        return;
    if (op >= TSL_EXPR_UDIV && op <= TSL_EXPR_SREM) {
        check_division(code, la, lb, a, b, site);
        return;
    }
    if (!(RUN->plan->flags & TSL_PLAN_OVERFLOW) || op == TSL_EXPR_SHL)
        return;
    uint32_t bad = __teasel_sym_overflows_slow(code | TSL_SYM_SIGNED << 16, la, lb, a, b);
    if (!bad)
        return;
    bool now = value_of(bad) != 0;
    branch_on(bad, now, TSL_BRANCH_CHECK, site);
    if (now)
        tslrt_end(TSL_OUT_OVERFLOW, site, NULL, "signed overflow");
}
