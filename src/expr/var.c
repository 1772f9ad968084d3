// Numbers inputs and variables; see var.h.
#include "expr/var.h"

#include "base/err.h"

enum { MOST_NAME = 200 };

void tsl_vars_drop(tsl_vars *v) {
    for (size_t i = 0; i < v->inputs.len; i++)
        tsl_free(v->inputs.data[i].name);
    tsl_vec_drop(&v->inputs);
    tsl_vec_drop(&v->vars);
    tsl_map_drop(&v->by_asking);
    tsl_map_drop(&v->by_place);
    *v = (tsl_vars){0};
}

uint32_t tsl_vars_input(tsl_vars *v, uint16_t thread, uint32_t index) {
    uint64_t *place = tsl_map_put(&v->by_asking, (uint64_t)thread << 32 | index, NULL);
    if (!*place) {
        TSL_BUG_ON(v->inputs.len >= UINT32_MAX - 1, "too many inputs");
        tsl_vec_push(&v->inputs,
                     (tsl_input){.thread = thread, .index = index, .name = tsl_strdup("")});
        *place = v->inputs.len;
    }
    return (uint32_t)*place - 1;
}

uint32_t tsl_vars_intern(tsl_vars *v, uint32_t input, uint32_t offset, uint32_t width) {
    uint64_t *last = tsl_map_put(&v->by_place, (uint64_t)input << 32 | offset, NULL);
    for (uint64_t i = *last; i; i = v->vars.data[i - 1].before)
        if (v->vars.data[i - 1].width == width)
            return (uint32_t)i - 1;
    TSL_BUG_ON(v->vars.len >= UINT32_MAX - 1, "too many variables");
    tsl_vec_push(&v->vars, (tsl_var){input, offset, width, (uint32_t)*last});
    *last = v->vars.len;
    return (uint32_t)*last - 1;
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
