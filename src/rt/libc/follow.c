
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
    tslrt_give_label(self, character ? node_make(TSL_EXPR_ZEXT, 32, 0, character, 0, 0) : 0);
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
    uint32_t from = node_make(TSL_EXPR_SUB, 8, 0, label, node_const(8, 'A'), 0);
    uint32_t is = node_make(TSL_EXPR_ULT, 1, 0, from, node_const(8, 26), 0);
    return node_make(TSL_EXPR_ITE, 8, 0, is,
                     node_make(TSL_EXPR_ADD, 8, 0, label, node_const(8, 32), 0), label);
}

static uint32_t folded(const char *p, bool fold) {
    uint32_t label = character_label(p);
    return label && fold ? lower_label(label) : label;
}

// The label of the difference of two characters.
static uint32_t difference(uint32_t x, uint32_t y) {
    return node_make(TSL_EXPR_SUB, 32, 0, node_make(TSL_EXPR_ZEXT, 32, 0, x, 0, 0),
                     node_make(TSL_EXPR_ZEXT, 32, 0, y, 0, 0), 0);
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
        if (lx | ly) {
            lx = node_or_const(lx, 8, x);
            ly = node_or_const(ly, 8, y);
            branch_on(node_make(TSL_EXPR_EQ, 1, 0, lx, ly, 0), x == y, 0, site);
        }
        if (x != y) {
            answer = x - y;
            label = lx | ly ? difference(lx, ly) : 0;
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
    uint32_t wanted = what_label ? node_make(TSL_EXPR_EXTRACT, 8, 0, what_label, 0, 0) : 0;
    for (size_t i = 0; SYM->nodes && i < most; i++) {
        uint32_t label = character_label(s + i);
        if (label | wanted)
            branch_on(node_make(TSL_EXPR_EQ, 1, 0, node_or_const(label, 8, (uint8_t)s[i]),
                                node_or_const(wanted, 8, (uint8_t)what), 0),
                      s[i] == (char)what, 0, site);
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
            any = any ? node_make(TSL_EXPR_OR, 1, 0, any, one, 0) : one;
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
            uint32_t x = character_label(s + i), y = character_label(what + i);
            if (x | y)
                branch_on(node_make(TSL_EXPR_EQ, 1, 0, node_or_const(x, 8, (uint8_t)s[i]),
                                    node_or_const(y, 8, (uint8_t)what[i]), 0),
                          s[i] == what[i], 0, site);
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
        n->label = node_make(TSL_EXPR_MUL, 64, 0, n->label, node_const(64, (unsigned)base), 0);
    n->value *= (unsigned)base;
    if (n->label | d.label)
        n->label = node_make(TSL_EXPR_ADD, 64, 0, node_or_const(n->label, 64, n->value),
                             node_or_const(d.label, 64, (unsigned)d.value), 0);
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
        n.label = node_make(TSL_EXPR_SUB, 64, 0, node_const(64, 0), n.label, 0);
    return n;
}

// The label of an answer of `width` bits, cut from a label of 64 bits; 0 if its value is not the
// answer, because libc does not cut numbers that are too large.
uint32_t tslrt_follow_fitted(uint32_t label, unsigned width, uint64_t answer, uint32_t site) {
    if (label && width < 64)
        label = node_make(TSL_EXPR_EXTRACT, width, 0, label, 0, 0);
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

// ---------------------------------------------------------------- memory

void tslrt_follow_copy(void *to, const void *from, size_t n) {
    __teasel_sym_copy_slow(to, from, n);
}

void tslrt_follow_fill(void *to, uint32_t label, size_t n) { __teasel_sym_fill_slow(to, label, n); }

// ---------------------------------------------------------------- classes

void tslrt_follow_class(const void *self, uint32_t label, const void *table, unsigned element,
                        unsigned mask, int answer) {
    if (!label || !SYM->nodes)
        return;
    // The argument is EOF or fits an unsigned char; the tables go from -128 to 255.
    uint32_t index = node_make(TSL_EXPR_ADD, 64, 0, node_make(TSL_EXPR_SEXT, 64, 0, label, 0, 0),
                               node_const(64, 128), 0);
    branch_on(node_make(TSL_EXPR_ULT, 1, 0, index, node_const(64, 384), 0), value_of(index) < 384,
              0, 0);
    if (value_of(index) >= 384)
        return;
    uint32_t found = node_lookup(index, table, 384, element);
    uint32_t wide_found = element == 4 ? found : node_make(TSL_EXPR_ZEXT, 32, 0, found, 0, 0);
    if (mask)
        wide_found = node_make(TSL_EXPR_AND, 32, 0, wide_found, node_const(32, mask), 0);
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
        branch_on(node_make(TSL_EXPR_EQ, 1, 0, label, zero, 0), order == 0, 0, site);
    if (!exact || order != 0)
        branch_on(node_make(TSL_EXPR_SLE, 1, 0, label, zero, 0), order <= 0, 0, site);
}
