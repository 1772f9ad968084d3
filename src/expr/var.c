// Numbers inputs and variables; see var.h.
#include "expr/var.h"

#include "base/err.h"
#include "base/mem.h"

#define IS_INPUT (1u << 31) // in entries of the index

enum { FIRST_INDEX = 1 << 6, MOST_NAME = 200 };

void tsl_vars_drop(tsl_vars *v) {
    for (size_t i = 0; i < v->inputs.len; i++)
        tsl_free(v->inputs.data[i].name);
    tsl_vec_drop(&v->inputs);
    tsl_vec_drop(&v->vars);
    tsl_free(v->index);
    *v = (tsl_vars){0};
}

// ---------------------------------------------------------------- the index

// An input has the key (thread, index), a variable (input, offset, width).
typedef struct key {
    uint32_t a, b, c;
    bool is_input;
} key;

static key key_of(const tsl_vars *v, uint32_t entry) {
    uint32_t i = entry & ~IS_INPUT;
    if (entry & IS_INPUT)
        return (key){v->inputs.data[i].thread, v->inputs.data[i].index, 0, true};
    return (key){v->vars.data[i].input, v->vars.data[i].offset, v->vars.data[i].width, false};
}

static uint64_t hash_of(key k) {
    uint64_t x = ((uint64_t)k.a << 32 | k.b) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 29 ^ k.c ^ (uint64_t)k.is_input << 20) * 0xbf58476d1ce4e5b9ull;
    return x ^ x >> 32;
}

static size_t place(const tsl_vars *v, key k) {
    size_t at = (size_t)hash_of(k) & (v->index_size - 1);
    for (; v->index[at]; at = (at + 1) & (v->index_size - 1)) {
        key other = key_of(v, v->index[at] - 1);
        if (other.a == k.a && other.b == k.b && other.c == k.c && other.is_input == k.is_input)
            break;
    }
    return at;
}

static void grow_index(tsl_vars *v) {
    tsl_free(v->index);
    v->index_size = v->index_size ? v->index_size * 2 : FIRST_INDEX;
    v->index = tsl_alloc_array(v->index_size, sizeof *v->index);
    for (uint32_t i = 0; i < v->inputs.len; i++)
        v->index[place(v, key_of(v, i | IS_INPUT))] = (i | IS_INPUT) + 1;
    for (uint32_t i = 0; i < v->vars.len; i++)
        v->index[place(v, key_of(v, i))] = i + 1;
}

static uint32_t *slot_of(tsl_vars *v, key k) {
    if ((v->inputs.len + v->vars.len) * 2 >= v->index_size)
        grow_index(v);
    return &v->index[place(v, k)];
}

// ---------------------------------------------------------------- both kinds

uint32_t tsl_vars_input(tsl_vars *v, uint16_t thread, uint32_t index) {
    uint32_t *slot = slot_of(v, (key){thread, index, 0, true});
    if (!*slot) {
        TSL_BUG_ON(v->inputs.len >= IS_INPUT - 1, "too many inputs");
        tsl_vec_push(&v->inputs,
                     (tsl_input){.thread = thread, .index = index, .name = tsl_strdup("")});
        *slot = (uint32_t)v->inputs.len | IS_INPUT;
    }
    return (*slot - 1) & ~IS_INPUT;
}

uint32_t tsl_vars_intern(tsl_vars *v, uint32_t input, uint32_t offset, uint32_t width) {
    uint32_t *slot = slot_of(v, (key){input, offset, width, false});
    if (!*slot) {
        TSL_BUG_ON(v->vars.len >= IS_INPUT - 1, "too many variables");
        tsl_vec_push(&v->vars, (tsl_var){input, offset, width});
        *slot = (uint32_t)v->vars.len;
    }
    return *slot - 1;
}

void tsl_vars_describe(tsl_vars *v, uint32_t input, const tsl_expr_object *object,
                       const char *name) {
    tsl_input *in = &v->inputs.data[input];
    in->kind = object->kind;
    in->size = object->size;
    in->element = object->element;
    in->site = object->site;
    char *clean = tsl_strndup(name, MOST_NAME);
    for (char *c = clean; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    tsl_free(in->name);
    in->name = clean;
}

void tsl_var_print(const tsl_vars *v, uint32_t var, tsl_buf *out) {
    const tsl_var *x = &v->vars.data[var];
    const tsl_input *in = &v->inputs.data[x->input];
    if (in->thread)
        tsl_buf_add(out, "t%u.", in->thread);
    if (*in->name)
        tsl_buf_puts(out, in->name);
    else
        tsl_buf_add(out, "in%u", in->index);
    if (in->size > x->width / 8)
        tsl_buf_add(out, "[%u]", x->offset / (x->width / 8 ? x->width / 8 : 1));
}
