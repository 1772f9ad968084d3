#include "character.h"
#include "../symbol/symbol.h"

uint32_t character_label(const char *p) {
    return SYM->nodes ? shadow_load((uintptr_t)p, 1, (uint8_t)*p) : 0;
}

uint32_t character_is(uint32_t label, uint8_t c) {
    return node_test(TSL_EXPR_EQ, label, node_const(8, c));
}

uint32_t character_in(uint32_t label, uint8_t from, uint8_t n) {
    uint32_t offset = node_two(TSL_EXPR_SUB, 8, label, node_const(8, from));
    return node_test(TSL_EXPR_ULT, offset, node_const(8, n));
}

bool decide_is(const char *p, uint8_t c, uint32_t site) {
    uint32_t label = character_label(p);
    if (label)
        branch_on(character_is(label, c), (uint8_t)*p == c, 0, site);
    return (uint8_t)*p == c;
}

bool decide_end(const char *p, uint32_t site) { return decide_is(p, 0, site); }

bool decide_space(const char *p, uint32_t site) {
    uint32_t label = character_label(p);
    bool is = *p == ' ' || (*p >= 9 && *p <= 13);
    if (label)
        branch_on(node_two(TSL_EXPR_OR, 1, character_is(label, ' '), character_in(label, 9, 5)), is,
                  0, site);
    return is;
}

// One input branch for each range that the character may be in, until it is found.
digit decide_digit(const char *p, int base, uint32_t site) {
    static const struct {
        uint8_t from, most;
        int first;
    } ranges[] = {{'0', 10, 0}, {'a', 26, 10}, {'A', 26, 10}};
    uint32_t label = character_label(p);
    for (unsigned i = 0; i < 3; i++) {
        int n = base - ranges[i].first;
        n = n > ranges[i].most ? ranges[i].most : n;
        if (n <= 0)
            continue;
        int at = (uint8_t)*p - ranges[i].from;
        bool is = at >= 0 && at < n;
        if (label)
            branch_on(character_in(label, ranges[i].from, (uint8_t)n), is, 0, site);
        if (!is)
            continue;
        uint32_t zero = node_const(8, (uint8_t)(ranges[i].from - ranges[i].first));
        uint32_t value = node_two(TSL_EXPR_SUB, 8, label, zero);
        return (digit){at + ranges[i].first, node_one(TSL_EXPR_ZEXT, 64, value)};
    }
    return (digit){-1, 0};
}
