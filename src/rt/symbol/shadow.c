// Labels of memory.
//
// For each byte: which value it is part of, and which byte of that value it is.  So storing a
// number and loading it again gives back its label without building an expression.  There are lines
// of 64 bytes only where something has a label; one byte per line, found by a hash, tells the fast
// path that there may be a label (layout.h).
//
// Code that is not instrumented writes memory without telling.  So when a byte is loaded, the value
// of its label is compared with the memory; if they differ, the label is dropped.
#include <string.h>

#include "../state.h"
#include "symbol.h"

static uint8_t *labelled(uintptr_t p) {
    return (uint8_t *)TSL_LABELLED_ADDR + (p >> TSL_LABELLED_SHIFT & (TSL_LABELLED_SIZE - 1));
}

static uint32_t line_place(uint64_t key) {
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 40) & (TSLRT_LINE_INDEX_SIZE - 1);
    while (TSLRT_LINE_INDEX[at] >> 32 == SYM->run &&
           TSLRT_LINES[(uint32_t)TSLRT_LINE_INDEX[at]].key != key)
        at = (at + 1) & (TSLRT_LINE_INDEX_SIZE - 1);
    return at;
}

static label_line *find(uintptr_t p) {
    uint32_t at = line_place(p >> TSL_LABELLED_SHIFT);
    return TSLRT_LINE_INDEX[at] >> 32 == SYM->run ? &TSLRT_LINES[(uint32_t)TSLRT_LINE_INDEX[at]]
                                                  : NULL;
}

static label_line *find_or_make(uintptr_t p) {
    uint64_t key = p >> TSL_LABELLED_SHIFT;
    uint32_t at = line_place(key);
    if (TSLRT_LINE_INDEX[at] >> 32 == SYM->run)
        return &TSLRT_LINES[(uint32_t)TSLRT_LINE_INDEX[at]];
    if (SYM->nlines == TSLRT_MAX_LINES) {
        symbol_lost(TSL_LOST_FULL, 0);
        return NULL;
    }
    label_line *line = &TSLRT_LINES[SYM->nlines];
    TSLRT_LINE_INDEX[at] = (uint64_t)SYM->run << 32 | SYM->nlines++;
    TSL_HOT->labelled = 1;
    if (RUN->libc.aliased)
        tslrt_symbols_aliased();
    line->key = key;
    memset(line->label, 0, sizeof line->label);
    return line;
}

// An access that begins up to 15 bytes before `p`, perhaps in another line, must find a mark, too.
static void mark(uintptr_t p) {
    *labelled(p) = 1;
    *labelled(p - 15) = 1;
}

void shadow_set(uintptr_t p, uint64_t size, uint32_t label) {
    for (uint64_t i = 0; i < size; i++) {
        label_line *line = find_or_make(p + i);
        if (!line)
            return;
        line->label[(p + i) & 63] = label;
        line->index[(p + i) & 63] = (uint8_t)i;
        mark(p + i);
    }
}

void shadow_clear(uintptr_t p, uint64_t size) {
    uintptr_t end = p + size;
    while (p < end) {
        uintptr_t stop = (p | 63) + 1 < end ? (p | 63) + 1 : end;
        label_line *line = *labelled(p) ? find(p) : NULL;
        if (line)
            memset(&line->label[p & 63], 0, (stop - p) * sizeof line->label[0]);
        p = stop;
    }
}

bool shadow_has(uintptr_t p, uint64_t size) {
    for (uintptr_t at = p, end = p + size; at < end; at = (at | 63) + 1) {
        const label_line *line = *labelled(at) ? find(at) : NULL;
        uintptr_t stop = (at | 63) + 1 < end ? (at | 63) + 1 : end;
        for (uintptr_t b = at; line && b < stop; b++)
            if (line->label[b & 63])
                return true;
    }
    return false;
}

typedef struct byte_label {
    uint32_t label;
    uint8_t index;
} byte_label;

static byte_label byte_at(uintptr_t p, uint8_t actual) {
    const label_line *line = find(p);
    if (!line || !line->label[p & 63])
        return (byte_label){0, 0};
    byte_label b = {line->label[p & 63], line->index[p & 63]};
    if ((uint8_t)(value_of(b.label) >> (8 * b.index)) == actual)
        return b;
    symbol_lost(TSL_LOST_MEMORY, 0);
    return (byte_label){0, 0};
}

// The bytes from `from` to `to`, which are a piece of one value, as one node.
static uint32_t piece(const byte_label *bytes, unsigned from, unsigned to, wide value) {
    unsigned width = 8 * (to - from);
    if (!bytes[from].label)
        return node_const(width, value >> (8 * from));
    if (node_at(bytes[from].label)->width == width)
        return bytes[from].label;
    return node_cut(width, 8u * bytes[from].index, bytes[from].label);
}

static unsigned piece_end(const byte_label *bytes, unsigned from, unsigned size) {
    unsigned to = from + 1;
    while (to < size && bytes[to].label == bytes[from].label &&
           (!bytes[from].label || bytes[to].index == bytes[from].index + (to - from)))
        to++;
    return to;
}

uint32_t shadow_load(uintptr_t p, unsigned size, wide value) {
    byte_label bytes[16];
    bool any = false;
    for (unsigned i = 0; i < size; i++) {
        bytes[i] = byte_at(p + i, (uint8_t)(value >> (8 * i)));
        any |= bytes[i].label != 0;
    }
    if (!any)
        return 0;
    uint32_t whole = 0;
    for (unsigned from = 0, to; from < size; from = to) {
        to = piece_end(bytes, from, size);
        uint32_t part = piece(bytes, from, to, value);
        whole = from == 0 ? part : node_two(TSL_EXPR_CONCAT, 8 * to, part, whole);
    }
    return whole;
}

// The write that was just recorded has overwritten a value that depends on inputs, so its mark
// (abi/conflict.h), which compares values, has no meaning.
static void forget_mark(const void *p, uint64_t size) {
    tsl_event *e = TSL_HOT->cursor - 1;
    if (e >= RUN->trace.first && e->addr == (uintptr_t)p && tsl_is_memory(e->kind) &&
        e->kind != TSL_EV_CAS && shadow_has((uintptr_t)p, size))
        e->res = 0;
}

TSL_SLOW void __teasel_sym_store_slow(void *p, uint64_t size, uint32_t label) {
    if (!SYM->nodes)
        return;
    forget_mark(p, size);
    if (label && node_at(label)->width != 8 * size)
        label = node_one(TSL_EXPR_ZEXT, (unsigned)(8 * size), label);
    if (label)
        shadow_set((uintptr_t)p, size, label);
    else
        shadow_clear((uintptr_t)p, size);
}

TSL_SLOW void __teasel_sym_unfollowed_slow(const void *p, uint64_t size, uint32_t site) {
    if (SYM->nodes && shadow_has((uintptr_t)p, size))
        symbol_lost(TSL_LOST_OTHER, site);
}

TSL_SLOW uint32_t __teasel_sym_load_slow(const void *p, uint32_t width, uint32_t lp, uint64_t low,
                                         uint64_t high) {
    if (!SYM->nodes)
        return 0;
    if (lp && SYM->lookup_at == p) {
        SYM->lookup_at = NULL;
        return SYM->lookup_label;
    }
    unsigned size = (width + 7) / 8;
    uint32_t label = shadow_load((uintptr_t)p, size, wide_of(low, high) & wide_mask(8 * size));
    return label && width % 8 ? node_cut(width, 0, label) : label;
}

// Like memmove: in the direction in which nothing is overwritten before it is read.
TSL_SLOW void __teasel_sym_copy_slow(void *to, const void *from, uint64_t n) {
    uintptr_t d = (uintptr_t)to, s = (uintptr_t)from;
    if (!SYM->nodes || d == s || n == 0)
        return;
    if (!shadow_has(s, n)) {
        shadow_clear(d, n);
        return;
    }
    for (uint64_t k = 0; k < n; k++) {
        uint64_t i = d < s ? k : n - 1 - k;
        const label_line *source = find(s + i);
        uint32_t label = source ? source->label[(s + i) & 63] : 0;
        uint8_t index = source ? source->index[(s + i) & 63] : 0;
        label_line *line = label ? find_or_make(d + i) : find(d + i);
        if (!line)
            continue;
        line->label[(d + i) & 63] = label;
        line->index[(d + i) & 63] = index;
        if (label)
            mark(d + i);
    }
}

TSL_SLOW void __teasel_sym_fill_slow(void *to, uint32_t label, uint64_t n) {
    if (!SYM->nodes)
        return;
    if (label && node_at(label)->width != 8)
        label = node_cut(8, 0, label);
    for (uint64_t i = 0; label && i < n; i++)
        shadow_set((uintptr_t)to + i, 1, label);
    if (!label)
        shadow_clear((uintptr_t)to, n);
}

// A run begins without labels.
void tslrt_symbols_begin(tsl_expr *nodes, uint32_t max, uint32_t max_branches) {
    SYM->nodes = nodes; // first, as in a forked process a page read before a write faults twice
    for (uint32_t i = 0; i < SYM->nlines; i++) {
        uintptr_t p = TSLRT_LINES[i].key << TSL_LABELLED_SHIFT;
        *labelled(p) = 0;
        *labelled(p - 15) = 0;
    }
    SYM->nlines = TSL_HOT->labelled = 0;
    SYM->n = 1;
    SYM->max = max < TSLRT_MAX_NODES ? max : TSLRT_MAX_NODES;
    SYM->run++;
    SYM->index_run++;
    SYM->indexed = 0;
    if (!SYM->index_size)
        SYM->index_size = TSLRT_FIRST_INDEX;
    SYM->branches = SYM->ndecided = 0;
    SYM->max_branches = max_branches;
    SYM->full = false;
    SYM->lookup_at = NULL;
    TSL_HOT->args_for = TSL_HOT->ret_from = NULL;
    if (nodes)
        nodes[0] = (tsl_expr){.op = TSL_EXPR_NONE};
}

uint32_t tslrt_symbols_count(void) { return SYM->nodes ? SYM->n : 0; }
