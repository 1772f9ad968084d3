// Where inputs come from.
//
// Values stand in the Plan, by the thread that asks and by how many it has asked for before; what
// is not there is drawn from the Plan's input seed, the same in every run.  Run alone, without
// the tool, a program gets zeros.
#include <stdlib.h>
#include <string.h>

#include "../sync/objects.h"
#include "symbol.h"

#define SELF_ADDRESS(f) ((const void *)(f))

// ---------------------------------------------------------------- values

static uint64_t draw(uint64_t seed, uint64_t key) {
    uint64_t x = seed * 0x9e3779b97f4a7c15ull ^ (key + 0x632be59bd9b4e019ull);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// The Plan is in memory the program can reach: nothing in it is taken on trust.
static const tsl_plan_input *find_planned(unsigned thread, uint32_t index) {
    const char *at = RUN->inputs;
    for (uint32_t i = 0; i < RUN->plan->ninputs && at < RUN->inputs_end; i++) {
        const tsl_plan_input *input = (const tsl_plan_input *)at;
        if (input->size > (size_t)(RUN->inputs_end - at) - sizeof *input)
            return NULL;
        if (input->thread == thread && input->index == index)
            return input;
        at += sizeof *input + ((input->size + 7u) & ~7u);
    }
    return NULL;
}

static void fill(char *to, size_t size, unsigned kind, uint32_t index) {
    const tsl_plan_input *planned = tslrt_watched() ? find_planned(SELF->id, index) : NULL;
    memset(to, 0, size);
    if (planned)
        memcpy(to, planned + 1, planned->size < size ? planned->size : size);
    else if (tslrt_watched())
        for (size_t i = 0; i < size; i += 8) {
            uint64_t x =
                draw(RUN->plan->input_seed, (uint64_t)SELF->id << 40 ^ (uint64_t)index << 20 ^ i);
            memcpy(to + i, &x, size - i < 8 ? size - i : 8);
        }
    if (kind == TSL_INPUT_BOOL)
        for (size_t i = 0; i < size; i++)
            to[i] &= 1;
}

// ---------------------------------------------------------------- labels

static uint32_t make_object(const char *name, size_t size, unsigned kind, unsigned element,
                            uint32_t index, const void *p, uint32_t site) {
    size_t length = strnlen(name, 255);
    uint32_t raw = (uint32_t)(length / sizeof(tsl_expr) + 1);
    uint32_t label = node_room(1 + raw);
    if (!label)
        return 0;
    tsl_expr_object *object = (tsl_expr_object *)&SYM->nodes[label];
    *object = (tsl_expr_object){.op = TSL_EXPR_OBJECT,
                                .kind = (uint8_t)kind,
                                .thread = SELF->id,
                                .index = index,
                                .size = (uint32_t)size,
                                .raw = raw,
                                .element = element,
                                .site = site,
                                .addr = (uint64_t)p};
    memset(&SYM->nodes[label + 1], 0, raw * sizeof(tsl_expr));
    memcpy(&SYM->nodes[label + 1], name, length);
    return label;
}

// A bool has one bit that counts.
static uint32_t variable(uint32_t object, const char *p, unsigned element, size_t offset,
                         unsigned kind) {
    wide value = 0;
    memcpy(&value, p + offset, element);
    if (kind != TSL_INPUT_BOOL)
        return node_input(object, (uint32_t)offset, 8 * element, value);
    uint32_t bit = node_make(TSL_EXPR_EXTRACT, 1, 0,
                             node_input(object, (uint32_t)offset, 8 * element, value), 0, 0);
    return node_make(TSL_EXPR_ZEXT, 8 * element, 0, bit, 0, 0);
}

// `p` holds the values; they will be known as those of `home`.
static uint32_t label_input(const char *p, uintptr_t home, size_t size, const char *name,
                            unsigned kind, unsigned element, uint32_t index, uint32_t site) {
    uint32_t object = make_object(name, size, kind, element, index, (void *)home, site), label = 0;
    for (size_t at = 0; object && at + element <= size; at += element) {
        label = variable(object, p, element, at, kind);
        if (home && label)
            shadow_set(home + at, element, label);
    }
    return label;
}

// ---------------------------------------------------------------- for programs

static uint32_t next_index(void) {
    RUN->flags |= TSL_TRACE_INPUTS;
    return SELF->ninputs++;
}

static void input_at(void *p, size_t size, const char *name, unsigned kind, unsigned element,
                     uint32_t site) {
    if (kind >= TSL_INPUT_KINDS || element == 0 || element > 8 || size % element) {
        kind = TSL_INPUT_BYTES;
        element = 1;
    }
    if (size == 0)
        tslrt_misuse(p, "input %s has no bytes", name);
    if (size > TSL_MAX_INPUT)
        tslrt_misuse(p, "input %s has %zu bytes; at most %u are possible", name, size,
                     TSL_MAX_INPUT);
    uint32_t index = next_index();
    tslrt_range_begin(TSL_EV_WRITE, p, site);
    tslrt_range_end(TSL_EV_WRITE, p, size, site);
    fill(p, size, kind, index);
    tslrt_wrote(p, size);
    if (SYM->nodes)
        label_input(p, (uintptr_t)p, size, name, kind, element, index, site);
}

API void teasel_input(void *p, size_t size, const char *name, unsigned kind, unsigned element) {
    input_at(p, size, name, kind, element, tslrt_take_site());
}

static uint64_t scalar(const void *self, const char *name, unsigned size, unsigned kind,
                       uint32_t site) {
    uint64_t value = 0;
    uint32_t index = next_index();
    fill((char *)&value, size, kind, index);
    uint32_t label =
        SYM->nodes ? label_input((const char *)&value, 0, size, name, kind, size, index, site) : 0;
    // In memory a bool is a byte, as a result it is one bit.
    if (label && kind == TSL_INPUT_BOOL)
        label = node_at(label)->a;
    tslrt_give_label(self, label);
    return value;
}

#define TYPED(function, type, kind, text)                                                          \
    API type function(void) {                                                                      \
        return (type)scalar(SELF_ADDRESS(function), text, sizeof(type), TSL_INPUT_##kind,          \
                            tslrt_take_site());                                                    \
    }
#define NAMED(function, type, kind)                                                                \
    API type function(const char *name) {                                                          \
        return (type)scalar(SELF_ADDRESS(function), name, sizeof(type), TSL_INPUT_##kind,          \
                            tslrt_take_site());                                                    \
    }

NAMED(teasel_bool, _Bool, BOOL)
NAMED(teasel_char, char, SIGNED)
NAMED(teasel_uchar, unsigned char, UNSIGNED)
NAMED(teasel_short, short, SIGNED)
NAMED(teasel_ushort, unsigned short, UNSIGNED)
NAMED(teasel_int, int, SIGNED)
NAMED(teasel_uint, unsigned, UNSIGNED)
NAMED(teasel_long, long, SIGNED)
NAMED(teasel_ulong, unsigned long, UNSIGNED)

// ---------------------------------------------------------------- assumptions, choices

// The thread stays where it is for ever: what the others do until then is possible, so they may
// go on; the run as a whole is not.
API void teasel_assume_fail(void) {
    uint32_t site = tslrt_take_site();
    RUN->rejected = true;
    for (;;)
        tslrt_block(TSL_EV_PAUSE, SELF, site);
}

API unsigned teasel_choose(unsigned n) {
    if (n == 0)
        tslrt_misuse(NULL, "teasel_choose of nothing");
    if (n > 0xfff0)
        tslrt_misuse(NULL, "teasel_choose of %u; at most 65520 are possible", n);
    if (n == 1)
        return 0;
    RUN->flags |= TSL_TRACE_INPUTS;
    tslrt_op(TSL_EV_CHOOSE, NULL);
    return tslrt_choose(n);
}

// ---------------------------------------------------------------- names of other tools

static void must(const void *self, int64_t condition, uint32_t site) {
    uint32_t label = tslrt_arg_label(self, 0);
    tslrt_args_taken(self);
    if (label && SYM->nodes) {
        uint32_t zero = node_const(node_at(label)->width, 0);
        branch_on(node_make(TSL_EXPR_EQ, 1, 0, label, zero, 0), condition == 0, 0, site);
    }
    if (condition)
        return;
    TSL_HOT->call_site = site;
    teasel_assume_fail();
}

API void klee_make_symbolic(void *p, size_t size, const char *name) {
    input_at(p, size, name, TSL_INPUT_BYTES, 1, tslrt_take_site());
}
NAMED(klee_int, int, SIGNED)
API void klee_assume(uintptr_t condition) {
    must(SELF_ADDRESS(klee_assume), condition != 0, tslrt_take_site());
}
API void __VERIFIER_assume(int condition) {
    must(SELF_ADDRESS(__VERIFIER_assume), condition, tslrt_take_site());
}

TYPED(__VERIFIER_nondet_bool, _Bool, BOOL, "bool")
TYPED(__VERIFIER_nondet_char, char, SIGNED, "char")
TYPED(__VERIFIER_nondet_uchar, unsigned char, UNSIGNED, "uchar")
TYPED(__VERIFIER_nondet_short, short, SIGNED, "short")
TYPED(__VERIFIER_nondet_ushort, unsigned short, UNSIGNED, "ushort")
TYPED(__VERIFIER_nondet_int, int, SIGNED, "int")
TYPED(__VERIFIER_nondet_uint, unsigned, UNSIGNED, "uint")
TYPED(__VERIFIER_nondet_long, long, SIGNED, "long")
TYPED(__VERIFIER_nondet_ulong, unsigned long, UNSIGNED, "ulong")
TYPED(__VERIFIER_nondet_longlong, long long, SIGNED, "longlong")
TYPED(__VERIFIER_nondet_ulonglong, unsigned long long, UNSIGNED, "ulonglong")
TYPED(__VERIFIER_nondet_size_t, size_t, UNSIGNED, "size_t")

#define CREST(function, type, kind)                                                                \
    API void function(type *p) {                                                                   \
        input_at(p, sizeof *p, #type, TSL_INPUT_##kind, sizeof *p, tslrt_take_site());             \
    }
CREST(__CrestUChar, unsigned char, UNSIGNED)
CREST(__CrestUShort, unsigned short, UNSIGNED)
CREST(__CrestUInt, unsigned, UNSIGNED)
CREST(__CrestChar, char, SIGNED)
CREST(__CrestShort, short, SIGNED)
CREST(__CrestInt, int, SIGNED)
