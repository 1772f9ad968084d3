// Expressions, each stored once.
//
// They are found again through an index of (run << 32 | label), which need not be cleared between
// runs.  The value of a node is computed here from the values of its operands, as abi/exprs.def
// says; the tool computes it again from the inputs, and both must agree.
#include <string.h>

#include "symbol.h"

static wide sign_extend(wide x, unsigned width) {
    wide sign = (wide)1 << (width - 1);
    return (x ^ sign) - sign;
}

static wide divide(unsigned op, wide a, wide b, unsigned width) {
    __int128 x = (__int128)sign_extend(a, width), y = (__int128)sign_extend(b, width);
    switch (op) {
    case TSL_EXPR_UDIV:
        return b ? a / b : ~(wide)0;
    case TSL_EXPR_UREM:
        return b ? a % b : a;
    case TSL_EXPR_SDIV:
        return b == 0 ? (x < 0 ? 1 : ~(wide)0) : y == -1 ? 0 - a : (wide)(x / y);
    default:
        return b == 0 ? a : y == -1 ? 0 : (wide)(x % y);
    }
}

static wide shift(unsigned op, wide a, wide b, unsigned width) {
    bool far = b >= width;
    if (op == TSL_EXPR_SHL)
        return far ? 0 : a << b;
    if (op == TSL_EXPR_LSHR)
        return far ? 0 : a >> b;
    return (wide)((__int128)sign_extend(a, width) >> (far ? width - 1 : b));
}

// `width` is that of the operands.
static wide compute(unsigned op, unsigned width, wide a, wide b) {
    switch (op) {
    case TSL_EXPR_ADD:
        return a + b;
    case TSL_EXPR_SUB:
        return a - b;
    case TSL_EXPR_MUL:
        return a * b;
    case TSL_EXPR_AND:
        return a & b;
    case TSL_EXPR_OR:
        return a | b;
    case TSL_EXPR_XOR:
        return a ^ b;
    case TSL_EXPR_UDIV:
    case TSL_EXPR_SDIV:
    case TSL_EXPR_UREM:
    case TSL_EXPR_SREM:
        return divide(op, a, b, width);
    case TSL_EXPR_SHL:
    case TSL_EXPR_LSHR:
    case TSL_EXPR_ASHR:
        return shift(op, a, b, width);
    case TSL_EXPR_EQ:
        return a == b;
    case TSL_EXPR_ULT:
        return a < b;
    case TSL_EXPR_ULE:
        return a <= b;
    case TSL_EXPR_SLT:
        return (__int128)sign_extend(a, width) < (__int128)sign_extend(b, width);
    default: // SLE
        return (__int128)sign_extend(a, width) <= (__int128)sign_extend(b, width);
    }
}

static wide value_for(const tsl_expr *e) {
    unsigned from = node_at(e->a)->width;
    switch (e->op) {
    case TSL_EXPR_NOT:
        return ~value_of(e->a);
    case TSL_EXPR_CONCAT:
        return value_of(e->a) << node_at(e->b)->width | value_of(e->b);
    case TSL_EXPR_EXTRACT:
        return value_of(e->a) >> e->extra;
    case TSL_EXPR_ZEXT:
        return value_of(e->a);
    case TSL_EXPR_SEXT:
        return sign_extend(value_of(e->a), from);
    case TSL_EXPR_ITE:
        return value_of(e->a) ? value_of(e->b) : value_of(e->c);
    default:
        return compute(e->op, from, value_of(e->a), value_of(e->b));
    }
}

static uint64_t hash_of(const tsl_expr *e) {
    uint64_t x = e->op | (uint64_t)e->width << 8 | (uint64_t)e->extra << 16 | (uint64_t)e->a << 32;
    uint64_t y = e->b | (uint64_t)e->c << 32;
    if (e->op == TSL_EXPR_CONST) {
        x ^= e->lo * 0x9fb21c651e98df25ull;
        y ^= e->hi;
    }
    wide product = (wide)(x ^ 0x9e3779b97f4a7c15ull) * (y ^ 0xe7037ed1a0b428dbull);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static bool is_same(const tsl_expr *x, const tsl_expr *y) {
    return x->op == y->op && x->width == y->width && x->extra == y->extra && x->a == y->a &&
           x->b == y->b && x->c == y->c &&
           (x->op != TSL_EXPR_CONST || (x->lo == y->lo && x->hi == y->hi));
}

uint32_t node_room(uint32_t n) {
    if (SYM->max - SYM->n < n) {
        SYM->full = true;
        symbol_lost(TSL_LOST_FULL, 0);
        return 0;
    }
    uint32_t label = SYM->n;
    SYM->n += n;
    return label;
}

// The place of the node in the index, or the place where it belongs.
static uint32_t index_place(const tsl_expr *e) {
    uint32_t mask = SYM->index_size - 1, at = (uint32_t)hash_of(e) & mask;
    while (TSLRT_INDEX[at] >> 32 == SYM->index_run &&
           !is_same(node_at((uint32_t)TSLRT_INDEX[at]), e))
        at = (at + 1) & mask;
    return at;
}

// Doubles the index.  The known nodes are in its lower half, at places by a shorter hash.  They are
// entered again under a new run number, so that old and new entries can't be confused.
static void grow_index(void) {
    uint32_t old = SYM->index_size;
    SYM->index_size = 2 * old;
    uint64_t run = SYM->index_run++;
    SYM->indexed = 0;
    for (uint32_t i = 0; i < old; i++)
        if (TSLRT_INDEX[i] >> 32 == run) {
            uint32_t label = (uint32_t)TSLRT_INDEX[i];
            TSLRT_GROWING[SYM->indexed++] = label;
        }
    for (uint32_t i = 0; i < SYM->indexed; i++)
        TSLRT_INDEX[index_place(node_at(TSLRT_GROWING[i]))] =
            (uint64_t)SYM->index_run << 32 | TSLRT_GROWING[i];
}

static uint32_t intern(const tsl_expr *e, bool has_value) {
    uint32_t at = index_place(e);
    if (TSLRT_INDEX[at] >> 32 == SYM->index_run)
        return (uint32_t)TSLRT_INDEX[at];
    if (2 * SYM->indexed >= SYM->index_size && SYM->index_size < TSLRT_INDEX_SIZE) {
        grow_index();
        at = index_place(e);
    }
    SYM->indexed++;
    uint32_t label = node_room(1);
    if (!label)
        return 0;
    tsl_expr *node = &SYM->nodes[label];
    *node = *e;
    if (!has_value) {
        wide value = value_for(e) & wide_mask(e->width);
        node->lo = (uint64_t)value;
        node->hi = (uint64_t)(value >> 64);
    }
    TSLRT_INDEX[at] = (uint64_t)SYM->index_run << 32 | label;
    return label;
}

uint32_t node_make(unsigned op, unsigned width, unsigned extra, uint32_t a, uint32_t b,
                   uint32_t c) {
    tsl_expr e = {.op = (uint8_t)op,
                  .width = (uint8_t)width,
                  .extra = (uint16_t)extra,
                  .a = a,
                  .b = b,
                  .c = c};
    // If there was no room for an operand, everything built from it is concrete.
    bool binary = op >= TSL_EXPR_ADD && op <= TSL_EXPR_CONCAT;
    if (!a || (binary && !b) || (op == TSL_EXPR_ITE && (!b || !c)))
        return 0;
    return intern(&e, false);
}

uint32_t node_const(unsigned width, wide value) {
    value &= wide_mask(width);
    tsl_expr e = {.op = TSL_EXPR_CONST,
                  .width = (uint8_t)width,
                  .lo = (uint64_t)value,
                  .hi = (uint64_t)(value >> 64)};
    return intern(&e, true);
}

uint32_t node_or_const(uint32_t label, unsigned width, wide value) {
    return label ? label : node_const(width, value);
}

uint32_t node_not(uint32_t label) {
    if (!label)
        return 0;
    if (node_at(label)->op == TSL_EXPR_NOT)
        return node_at(label)->a;
    return node_one(TSL_EXPR_NOT, 1, label);
}

// Look-ups are found again by the table's address, in a small cache, because a program may test the
// class of the same character many times.
uint32_t node_lookup(uint32_t index, const void *table, uint32_t n, unsigned element) {
    uint64_t hash = ((uint64_t)index * 0x9e3779b97f4a7c15ull ^ (uint64_t)table) >> 7;
    lookup_entry *known = &SYM->lookups[hash % (sizeof SYM->lookups / sizeof *SYM->lookups)];
    if (!index)
        return 0;
    if (known->run == SYM->run && known->index == index && known->table == table)
        return known->label;
    uint32_t raw = (n * element + (uint32_t)sizeof(tsl_expr) - 1) / (uint32_t)sizeof(tsl_expr);
    uint32_t label = node_room(1 + raw);
    if (!label)
        return 0;
    uint64_t value = 0;
    memcpy(&value, (const char *)table + value_of(index) * element, element);
    SYM->nodes[label] = (tsl_expr){.op = TSL_EXPR_LOOKUP,
                                   .width = (uint8_t)(8 * element),
                                   .extra = (uint16_t)element,
                                   .a = index,
                                   .b = n,
                                   .lo = value};
    memset(&SYM->nodes[label + 1], 0, raw * sizeof(tsl_expr));
    memcpy(&SYM->nodes[label + 1], table, n * element);
    *known = (lookup_entry){SYM->run, index, label, table};
    return label;
}

uint32_t node_input(uint32_t object, uint32_t offset, unsigned width, wide value) {
    tsl_expr e = {.op = TSL_EXPR_INPUT,
                  .width = (uint8_t)width,
                  .a = object,
                  .b = offset,
                  .lo = (uint64_t)value,
                  .hi = (uint64_t)(value >> 64)};
    return intern(&e, true);
}
