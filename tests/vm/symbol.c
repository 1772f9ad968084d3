// Expressions of a model run; see symbol.h.
#include "vm/symbol.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"

// ---------------------------------------------------------------- nodes

static uint64_t cut(uint64_t value, unsigned width) {
    return width >= 64 ? value : value & ((1ull << width) - 1);
}

static uint64_t value_of(const tsl_vm_symbols *s, uint32_t label) { return s->nodes[label].lo; }
static unsigned width_of(const tsl_vm_symbols *s, uint32_t label) { return s->nodes[label].width; }

static uint64_t compute(const tsl_vm_symbols *s, const tsl_expr *e) {
    uint64_t a = value_of(s, e->a), b = value_of(s, e->b);
    switch (e->op) {
    case TSL_EXPR_NOT:
        return ~a;
    case TSL_EXPR_ADD:
        return a + b;
    case TSL_EXPR_MUL:
        return a * b;
    case TSL_EXPR_AND:
        return a & b;
    case TSL_EXPR_XOR:
        return a ^ b;
    case TSL_EXPR_EQ:
        return a == b;
    case TSL_EXPR_ULT:
        return a < b;
    case TSL_EXPR_CONCAT:
        return a << width_of(s, e->b) | b;
    case TSL_EXPR_EXTRACT:
        return a >> e->extra;
    default: // ZEXT
        return a;
    }
}

static uint32_t room(tsl_vm_symbols *s, unsigned n) {
    TSL_BUG_ON(s->n + n > TSL_VM_NODES, "more than %d expressions", TSL_VM_NODES);
    uint32_t label = s->n;
    memset(&s->nodes[label], 0, n * sizeof *s->nodes);
    memset(&s->decided[label], 0, n);
    s->n += n;
    return label;
}

// There are few enough expressions to look at all of them.
static uint32_t intern(tsl_vm_symbols *s, const tsl_expr *e) {
    for (uint32_t i = 1; i < s->n; i++)
        if (memcmp(&s->nodes[i], e, offsetof(tsl_expr, lo)) == 0 &&
            (e->op != TSL_EXPR_CONST || s->nodes[i].lo == e->lo))
            return i;
    uint32_t label = room(s, 1);
    s->nodes[label] = *e;
    if (e->op != TSL_EXPR_CONST && e->op != TSL_EXPR_INPUT)
        s->nodes[label].lo = cut(compute(s, e), e->width);
    return label;
}

uint32_t tsl_vm_const(tsl_vm_symbols *s, unsigned width, uint64_t value) {
    return intern(
        s, &(tsl_expr){.op = TSL_EXPR_CONST, .width = (uint8_t)width, .lo = cut(value, width)});
}

uint32_t tsl_vm_unary(tsl_vm_symbols *s, unsigned op, unsigned width, unsigned extra, uint32_t a) {
    if (!a)
        return 0;
    return intern(
        s,
        &(tsl_expr){.op = (uint8_t)op, .width = (uint8_t)width, .extra = (uint16_t)extra, .a = a});
}

static uint32_t both(tsl_vm_symbols *s, unsigned op, unsigned width, uint32_t a, uint32_t b) {
    return intern(s, &(tsl_expr){.op = (uint8_t)op, .width = (uint8_t)width, .a = a, .b = b});
}

uint32_t tsl_vm_binary(tsl_vm_symbols *s, unsigned op, uint32_t la, uint64_t a, uint32_t lb,
                       uint64_t b) {
    if (!la && !lb)
        return 0;
    unsigned width = width_of(s, la ? la : lb);
    la = la ? la : tsl_vm_const(s, width, a);
    lb = lb ? lb : tsl_vm_const(s, width, b);
    return both(s, op, op == TSL_EXPR_EQ || op == TSL_EXPR_ULT ? 1 : width, la, lb);
}

// ---------------------------------------------------------------- inputs

uint32_t tsl_vm_input(tsl_vm_symbols *s, unsigned thread, unsigned index, uint8_t value) {
    if (!s->follows)
        return 0;
    uint32_t object = room(s, 2); // and its name
    tsl_expr_object o = {.op = TSL_EXPR_OBJECT,
                         .kind = TSL_INPUT_UNSIGNED,
                         .thread = (uint16_t)thread,
                         .index = index,
                         .size = 1,
                         .raw = 1,
                         .element = 1};
    memcpy(&s->nodes[object], &o, sizeof o);
    memcpy(&s->nodes[object + 1], "in", 3);
    uint32_t byte =
        intern(s, &(tsl_expr){.op = TSL_EXPR_INPUT, .width = 8, .a = object, .lo = value});
    uint32_t low = tsl_vm_binary(s, TSL_EXPR_AND, byte, 0, 0, TSL_VM_INPUT_VALUES - 1);
    return tsl_vm_unary(s, TSL_EXPR_ZEXT, 64, 0, low);
}

// ---------------------------------------------------------------- memory

static unsigned piece_end(const tsl_vm_shadow *at, unsigned from, unsigned size) {
    unsigned to = from + 1;
    while (to < size && at[to].label == at[from].label &&
           (!at[from].label || at[to].index == at[from].index + (to - from)))
        to++;
    return to;
}

uint32_t tsl_vm_shadow_load(tsl_vm_symbols *s, const tsl_vm_shadow *at, unsigned size,
                            uint64_t value) {
    uint32_t whole = 0;
    bool any = false;
    for (unsigned i = 0; i < size; i++)
        any |= at[i].label != 0;
    for (unsigned from = 0, to; any && from < size; from = to) {
        to = piece_end(at, from, size);
        unsigned width = 8 * (to - from);
        uint32_t part = at[from].label;
        if (!part)
            part = tsl_vm_const(s, width, value >> 8 * from);
        else if (width < 64)
            part = tsl_vm_unary(s, TSL_EXPR_EXTRACT, width, 8u * at[from].index, part);
        whole = from == 0 ? part : both(s, TSL_EXPR_CONCAT, 8 * to, part, whole);
    }
    return size < 8 ? tsl_vm_unary(s, TSL_EXPR_ZEXT, 64, 0, whole) : whole;
}

void tsl_vm_shadow_store(tsl_vm_shadow *at, unsigned size, uint32_t label) {
    for (unsigned i = 0; i < size; i++)
        at[i] = (tsl_vm_shadow){(uint16_t)label, (uint16_t)(label ? i : 0)};
}

// ---------------------------------------------------------------- branches

bool tsl_vm_is_open(const tsl_vm_symbols *s, tsl_vm_place at, uint32_t label) {
    return label && !(s->decided[label] >> at.thread & 1);
}

void tsl_vm_branch(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label, bool taken, unsigned flags) {
    if (label && s->nodes[label].op == TSL_EXPR_NOT) {
        tsl_vm_branch(s, at, s->nodes[label].a, !taken, flags);
        return;
    }
    if (!tsl_vm_is_open(s, at, label))
        return;
    if (s->branches >= s->max_branches) {
        s->too_deep = 1;
        return;
    }
    s->branches++;
    s->decided[label] |= (uint8_t)(1u << at.thread);
    tsl_vec_push(at.out, (tsl_event){.kind = TSL_EV_BRANCH,
                                     .addr = label,
                                     .site = at.site,
                                     .thread = (uint16_t)at.number,
                                     .res = (uint16_t)((unsigned)taken | flags)});
}

void tsl_vm_pin(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label) {
    if (!label)
        return;
    uint64_t value = value_of(s, label);
    tsl_vm_branch(s, at, tsl_vm_binary(s, TSL_EXPR_EQ, label, 0, 0, value), true,
                  tsl_pin_res(value));
}

// ---------------------------------------------------------------- meanings

void tsl_vm_meanings(const tsl_vm_symbols *s, uint64_t *meanings) {
    meanings[0] = 0;
    for (uint32_t i = 1; i < s->n; i++) {
        const tsl_expr *e = &s->nodes[i];
        uint64_t hash = tsl_hash(e, offsetof(tsl_expr, a));
        switch (e->op) {
        case TSL_EXPR_OBJECT:
            meanings[i] = tsl_hash_u64(hash, e->a); // its index
            meanings[++i] = 0;                      // its name
            continue;
        case TSL_EXPR_CONST:
            hash = tsl_hash_u64(hash, e->lo);
            break;
        case TSL_EXPR_INPUT:
            hash = tsl_hash_u64(hash, meanings[e->a]);
            break;
        default:
            hash = tsl_hash_u64(tsl_hash_u64(hash, meanings[e->a]), meanings[e->b]);
        }
        meanings[i] = hash;
    }
}
