// Where inputs come from.
//
// The Plan lists values by thread and index within the thread.  Inputs that it does not list have
// the first values that the tool was given, or simple values, or are drawn from the Plan's input
// seed, which gives the same values in every run.  Without the tool, a program gets zeros.
#include <string.h>

#include "../quick.h"
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

// The program can write to the Plan's memory, so nothing in it is trusted.
static const tsl_plan_input *find_planned(unsigned thread, uint32_t index) {
    const char *at = RUN->inputs.text;
    for (uint32_t i = 0; i < RUN->plan->ninputs && at < RUN->inputs.end; i++) {
        const tsl_plan_input *input = (const tsl_plan_input *)at;
        if (input->size > (size_t)(RUN->inputs.end - at) - sizeof *input)
            return NULL;
        if (input->thread == thread && input->index == index)
            return input;
        at += sizeof *input + ((input->size + 7u) & ~7u);
    }
    return NULL;
}

// The value of one element; `which` is of enum tsl_simple_inputs.
static uint64_t simple_value(unsigned which, uint64_t random, unsigned bits) {
    uint64_t highest = 1ull << (bits - 1);
    switch (which) {
    case TSL_SIMPLE_ONES:
        return 1;
    case TSL_SIMPLE_ALL_SET:
        return UINT64_MAX;
    case TSL_SIMPLE_SMALL:
        return random % 17;
    case TSL_SIMPLE_LENGTHS:
        return (1ull << random % 11) + (random >> 32) % 3 - 1;
    case TSL_SIMPLE_LIMITS:
        return highest + (random >> 32) % 4 - 2;
    default:
        return 0;
    }
}

static void fill_simply(unsigned which, uint64_t key, const input_spec *in, char *to) {
    for (size_t i = 0; i + in->element <= in->size; i += in->element) {
        uint64_t x = simple_value(which, draw(which, key ^ i), 8 * in->element);
        memcpy(to + i, &x, in->element);
    }
}

static void draw_all(const input_spec *in, char *to) {
    uint64_t key = (uint64_t)in->thread << 40 ^ (uint64_t)in->index << 20;
    if (RUN->plan->input_seed >= TSL_SIMPLE_INPUTS) {
        fill_simply((unsigned)(RUN->plan->input_seed - TSL_SIMPLE_INPUTS), key, in, to);
        return;
    }
    for (size_t i = 0; i < in->size; i += 8) {
        uint64_t x = draw(RUN->plan->input_seed, key ^ i);
        memcpy(to + i, &x, in->size - i < 8 ? in->size - i : 8);
    }
}

void input_fill(const input_spec *in, char *to) {
    memset(to, 0, in->size);
    if (!tslrt_watched())
        return;
    const tsl_plan_input *planned = find_planned(in->thread, in->index);
    const void *first;
    size_t nfirst = outside_first(in, &first);
    if (planned)
        memcpy(to, planned + 1, planned->size < in->size ? planned->size : in->size);
    else {
        draw_all(in, to);
        memcpy(to, first, nfirst);
    }
    if (in->kind == TSL_INPUT_BOOL)
        for (size_t i = 0; i < in->size; i++)
            to[i] &= 1;
}

// ---------------------------------------------------------------- labels

static uint32_t make_object(const input_spec *in, uintptr_t home) {
    size_t length = strnlen(in->name, 255);
    uint32_t raw = (uint32_t)(length / sizeof(tsl_expr) + 1);
    uint32_t label = node_room(1 + raw);
    if (!label)
        return 0;
    tsl_expr_object *object = (tsl_expr_object *)&SYM->nodes[label];
    *object = (tsl_expr_object){.op = TSL_EXPR_OBJECT,
                                .kind = in->kind,
                                .thread = in->thread,
                                .index = in->index,
                                .size = in->size,
                                .raw = raw,
                                .element = in->element,
                                .site = in->site,
                                .addr = home};
    memset(&SYM->nodes[label + 1], 0, raw * sizeof(tsl_expr));
    memcpy(&SYM->nodes[label + 1], in->name, length);
    return label;
}

// The label of the element at `offset`.  Of a bool, only one bit counts.
static uint32_t variable(const input_spec *in, uint32_t object, const char *p, size_t offset) {
    wide value = 0;
    memcpy(&value, p + offset, in->element);
    uint32_t whole = node_input(object, (uint32_t)offset, 8 * in->element, value);
    if (in->kind != TSL_INPUT_BOOL)
        return whole;
    uint32_t bit = node_cut(1, 0, whole);
    return node_one(TSL_EXPR_ZEXT, 8 * in->element, bit);
}

uint32_t input_label(const input_spec *in, const char *p, uintptr_t home, uint32_t *last) {
    uint32_t object = SYM->nodes ? make_object(in, home) : 0;
    for (size_t at = 0; object && at + in->element <= in->size; at += in->element) {
        *last = variable(in, object, p, at);
        if (home && *last)
            shadow_set(home + at, in->element, *last);
    }
    return object;
}

// ---------------------------------------------------------------- for programs

static input_spec next_input(const char *name, size_t size, unsigned kind, unsigned element,
                             uint32_t site) {
    RUN->trace.flags |= TSL_TRACE_INPUTS;
    return (input_spec){.name = name ? name : "unnamed",
                        .size = (uint32_t)size,
                        .kind = (uint8_t)kind,
                        .element = element,
                        .thread = SELF->id,
                        .index = SELF->thread.ninputs++,
                        .site = site};
}

static void input_at(void *p, size_t size, const char *name, unsigned kind, unsigned element,
                     uint32_t site) {
    if (kind >= TSL_INPUT_KINDS || element == 0 || element > 8 || size % element) {
        kind = TSL_INPUT_BYTES;
        element = 1;
    }
    if (size == 0)
        return; // there is nothing to vary
    if (size > TSL_MAX_INPUT)
        tslrt_misuse(p, "input %s has %lu bytes; at most %u are possible", name ? name : "unnamed",
                     (unsigned long)size, TSL_MAX_INPUT);
    uint32_t last = 0;
    input_spec in = next_input(name, size, kind, element, site);
    __teasel_range_slow(p, site, TSL_EV_WRITE, size);
    input_fill(&in, p);
    tslrt_wrote(p, size);
    input_label(&in, p, (uintptr_t)p, &last);
}

API void teasel_input(void *p, size_t size, const char *name, unsigned kind, unsigned element) {
    input_at(p, size, name, kind, element, tslrt_take_site());
}

static uint64_t scalar(const void *self, const char *name, unsigned size, unsigned kind,
                       uint32_t site) {
    uint64_t value = 0;
    uint32_t label = 0;
    input_spec in = next_input(name, size, kind, size, site);
    input_fill(&in, (char *)&value);
    input_label(&in, (const char *)&value, 0, &label);
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

// The run as a whole is impossible, but what other threads do before that is not.  So the thread
// stays here for ever, and the others may go on.
API void teasel_assume_fail(void) {
    uint32_t site = tslrt_take_site();
    RUN->inputs.rejected = true;
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
    RUN->trace.flags |= TSL_TRACE_INPUTS;
    tslrt_op(TSL_EV_CHOOSE, NULL);
    return tslrt_choose(n);
}

// ---------------------------------------------------------------- names of other tools

static void must(const void *self, int64_t condition, uint32_t site) {
    uint32_t label = tslrt_arg_label(self, 0);
    tslrt_args_taken(self);
    if (label && SYM->nodes) {
        uint32_t zero = node_const(node_at(label)->width, 0);
        branch_on(node_test(TSL_EXPR_EQ, label, zero), condition == 0, 0, site);
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
TYPED(__VERIFIER_nondet_unsigned, unsigned, UNSIGNED, "unsigned")
TYPED(__VERIFIER_nondet_u8, uint8_t, UNSIGNED, "u8")
TYPED(__VERIFIER_nondet_u16, uint16_t, UNSIGNED, "u16")
TYPED(__VERIFIER_nondet_u32, uint32_t, UNSIGNED, "u32")

// Floating-point inputs are followed as long as they are only copied.
#define REAL(function, type)                                                                       \
    API type function(void) {                                                                      \
        uint64_t bits = scalar(SELF_ADDRESS(function), #type, sizeof(type), TSL_INPUT_UNSIGNED,    \
                               tslrt_take_site());                                                 \
        type value;                                                                                \
        memcpy(&value, &bits, sizeof value);                                                       \
        return value;                                                                              \
    }
REAL(__VERIFIER_nondet_double, double)
REAL(__VERIFIER_nondet_float, float)

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
