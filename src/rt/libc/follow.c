
#include <string.h>

#include "../symbol/labels.h"
#include "../symbol/symbol.h"
#include "character.h"
#include "follow.h"

bool tslrt_follows(void) { return SYM->nodes != NULL; }

follow_args tslrt_follow_args(const void *self, unsigned keep, uint32_t site) {
    follow_args args = {{0}};
    if (TSL_HOT->args_for != self)
        return args;
    TSL_HOT->args_for = NULL;
    for (unsigned i = 0; SYM->nodes && i < TSL_HOT->nargs && i < 6; i++) {
        args.label[i] = TSL_HOT->args[i];
        if (args.label[i] && !(keep >> i & 1))
            branch_pin(args.label[i], site);
    }
    return args;
}

void tslrt_follow_pin(uint32_t label, uint32_t site) {
    if (label && SYM->nodes)
        branch_pin(label, site);
}

// ---------------------------------------------------------------- characters

void tslrt_follow_character(const void *self, uint32_t character) {
    tslrt_give_label(self, character ? node_one(TSL_EXPR_ZEXT, 32, character) : 0);
}

bool tslrt_follow_is_character(uint32_t label, uint32_t character) {
    return label && node_at(label)->op == TSL_EXPR_ZEXT && node_at(label)->a == character;
}

void tslrt_follow_length(const char *s, size_t most, size_t n, uint32_t site) {
    if (!SYM->nodes || !shadow_has((uintptr_t)s, n < most ? n + 1 : n))
        return;
    for (size_t i = 0; i <= n && i < most; i++)
        decide_end(s + i, site);
}

void tslrt_follow_line(const char *s, size_t n, char end, uint32_t site) {
    for (size_t i = 0; SYM->nodes && i < n; i++) {
        uint32_t label = character_label(s + i);
        if (label)
            branch_on(character_is(label, (uint8_t)end), s[i] == end, 0, site);
    }
}

static uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static uint32_t lower_label(uint32_t label) {
    uint32_t from = node_two(TSL_EXPR_SUB, 8, label, node_const(8, 'A'));
    uint32_t is = node_test(TSL_EXPR_ULT, from, node_const(8, 26));
    return node_if(8, is, node_two(TSL_EXPR_ADD, 8, label, node_const(8, 32)), label);
}

static uint32_t folded(const char *p, bool fold) {
    uint32_t label = character_label(p);
    return label && fold ? lower_label(label) : label;
}

// Are the two characters the same?
static void decide_same(uint32_t lx, uint8_t x, uint32_t ly, uint8_t y, uint32_t site) {
    if (lx | ly)
        branch_on(node_test(TSL_EXPR_EQ, node_or_const(lx, 8, x), node_or_const(ly, 8, y)), x == y,
                  0, site);
}

// The label of the difference of two characters.
static uint32_t difference(uint32_t x, uint32_t y) {
    return node_two(TSL_EXPR_SUB, 32, node_one(TSL_EXPR_ZEXT, 32, x),
                    node_one(TSL_EXPR_ZEXT, 32, y));
}

int tslrt_follow_compare(const void *self, const char *a, const char *b, size_t most, bool text,
                         bool fold, uint32_t site) {
    uint32_t label = 0;
    int answer = 0;
    for (size_t i = 0; i < most; i++) {
        uint8_t x = fold ? lower((uint8_t)a[i]) : (uint8_t)a[i];
        uint8_t y = fold ? lower((uint8_t)b[i]) : (uint8_t)b[i];
        uint32_t lx = SYM->nodes ? folded(a + i, fold) : 0,
                 ly = SYM->nodes ? folded(b + i, fold) : 0;
        decide_same(lx, x, ly, y, site);
        if (x != y) {
            answer = x - y;
            label = lx | ly ? difference(node_or_const(lx, 8, x), node_or_const(ly, 8, y)) : 0;
            break;
        }
        if (text && SYM->nodes) {
            decide_end(a + i, site);
            decide_end(b + i, site);
        }
        if (text && x == 0)
            break;
    }
    tslrt_give_label(self, label);
    return answer;
}

void tslrt_follow_find(const char *s, size_t most, uint32_t what_label, int what, bool text,
                       bool last, uint32_t site) {
    uint32_t wanted = what_label ? node_cut(8, 0, what_label) : 0;
    for (size_t i = 0; SYM->nodes && i < most; i++) {
        decide_same(character_label(s + i), (uint8_t)s[i], wanted, (uint8_t)what, site);
        if (s[i] == (char)what && !last)
            return;
        if (text)
            decide_end(s + i, site);
        if (text && !s[i])
            return;
    }
}

void tslrt_follow_span(const char *s, const char *set, bool of_set, uint32_t site) {
    for (; SYM->nodes; s++) {
        bool is = *s && strchr(set, *s);
        uint32_t label = character_label(s), any = 0;
        for (const char *c = set; label && *c; c++) {
            uint32_t one = character_is(label, (uint8_t)*c);
            any = any ? node_two(TSL_EXPR_OR, 1, any, one) : one;
        }
        branch_on(any, is, 0, site);
        decide_end(s, site);
        if (!*s || is != of_set)
            return;
    }
}

void tslrt_follow_strstr(const char *s, const char *what, uint32_t site) {
    for (; SYM->nodes; s++) {
        size_t i = 0;
        for (; what[i]; i++) {
            uint32_t lx = character_label(s + i), ly = character_label(what + i);
            decide_same(lx, (uint8_t)s[i], ly, (uint8_t)what[i], site);
            if (s[i] != what[i])
                break;
        }
        if (!what[i])
            return;
        decide_end(s, site);
        if (!*s)
            return;
    }
}

// ---------------------------------------------------------------- numbers

static const char *skip_prefix(const char *s, const char *limit, int *base, uint32_t site) {
    if (*base != 0 && *base != 16)
        return s;
    if (s == limit || !decide_is(s, '0', site)) {
        *base = *base ? *base : 10;
        return s;
    }
    if (s + 1 != limit && (decide_is(s + 1, 'x', site) || decide_is(s + 1, 'X', site))) {
        *base = 16;
        return s + 2;
    }
    *base = *base ? *base : 8;
    return s;
}

static void add_digit(followed_number *n, digit d, int base) {
    if (n->label)
        n->label = node_two(TSL_EXPR_MUL, 64, n->label, node_const(64, (unsigned)base));
    n->value *= (unsigned)base;
    if (n->label | d.label)
        n->label = node_two(TSL_EXPR_ADD, 64, node_or_const(n->label, 64, n->value),
                            node_or_const(d.label, 64, (unsigned)d.value));
    n->value += (unsigned)d.value;
}

followed_number tslrt_follow_integer(const char *s, const char *limit, int base, uint32_t site) {
    followed_number n = {.end = s};
    bool minus = s != limit && decide_is(s, '-', site);
    if (minus || (s != limit && decide_is(s, '+', site)))
        s++;
    const char *behind = skip_prefix(s, limit, &base, site);
    n.is_number = behind != s; // at least a 0
    for (s = behind; s != limit; s++) {
        digit d = decide_digit(s, base, site);
        if (d.value < 0)
            break;
        n.is_number = true;
        add_digit(&n, d, base);
    }
    n.end = s;
    if (minus && n.label)
        n.label = node_two(TSL_EXPR_SUB, 64, node_const(64, 0), n.label);
    return n;
}

// The label of an answer of `width` bits, cut from a label of 64 bits; 0 if its value is not the
// answer, because libc does not cut numbers that are too large.
uint32_t tslrt_follow_fitted(uint32_t label, unsigned width, uint64_t answer, uint32_t site) {
    if (label && width < 64)
        label = node_cut(width, 0, label);
    if (!label || value_of(label) == (answer & (uint64_t)wide_mask(width)))
        return label;
    symbol_lost(TSL_LOST_SIZE, site);
    return 0;
}

void tslrt_follow_number(const void *self, const char *s, int base, unsigned width, uint64_t answer,
                         uint32_t site) {
    if (!SYM->nodes)
        return;
    while (decide_space(s, site))
        s++;
    followed_number n = tslrt_follow_integer(s, NULL, base, site);
    tslrt_give_label(self, tslrt_follow_fitted(n.label, width, answer, site));
}

// ---------------------------------------------------------------- classes

void tslrt_follow_class(const void *self, uint32_t label, const void *table, unsigned element,
                        unsigned mask, int answer) {
    if (!label || !SYM->nodes)
        return;
    // The argument is EOF or fits an unsigned char; the tables go from -128 to 255.
    uint32_t index =
        node_two(TSL_EXPR_ADD, 64, node_one(TSL_EXPR_SEXT, 64, label), node_const(64, 128));
    branch_on(node_test(TSL_EXPR_ULT, index, node_const(64, 384)), value_of(index) < 384, 0, 0);
    if (value_of(index) >= 384)
        return;
    uint32_t found = node_lookup(index, table, 384, element);
    uint32_t wide_found = element == 4 ? found : node_one(TSL_EXPR_ZEXT, 32, found);
    if (mask)
        wide_found = node_two(TSL_EXPR_AND, 32, wide_found, node_const(32, mask));
    if (wide_found && value_of(wide_found) == (uint32_t)answer)
        tslrt_give_label(self, wide_found);
}

// ---------------------------------------------------------------- comparison functions

void tslrt_follow_order(const void *function, int order, bool exact, uint32_t site) {
    if (TSL_HOT->ret_from != function || !SYM->nodes)
        return;
    TSL_HOT->ret_from = NULL;
    uint32_t label = TSL_HOT->ret[0];
    if (!label || node_at(label)->width != 32 || value_of(label) != (uint32_t)order)
        return;
    uint32_t zero = node_const(32, 0);
    if (exact)
        branch_on(node_test(TSL_EXPR_EQ, label, zero), order == 0, 0, site);
    if (!exact || order != 0)
        branch_on(node_test(TSL_EXPR_SLE, label, zero), order <= 0, 0, site);
}
