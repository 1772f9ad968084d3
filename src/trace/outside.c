// The list of inputs that a program gets from outside; see outside.h.
#include "trace/outside.h"

#include <string.h>

static const char *const names[TSL_OUTSIDE_KINDS] = {
    [TSL_OUTSIDE_STDIN] = "stdin",
    [TSL_OUTSIDE_FILE] = "file",
    [TSL_OUTSIDE_ARG] = "arg",
    [TSL_OUTSIDE_ENV] = "env",
};

const char *tsl_outside_kind_name(unsigned kind) {
    return kind < TSL_OUTSIDE_KINDS ? names[kind] : NULL;
}

bool tsl_outside_is_named(unsigned kind) {
    return kind == TSL_OUTSIDE_FILE || kind == TSL_OUTSIDE_ENV;
}

void tsl_outsides_drop(tsl_outsides *o) {
    tsl_vec_drop(&o->inputs);
    tsl_vec_drop(&o->first);
}

void tsl_outsides_set_first(tsl_outsides *o, const void *bytes, size_t size) {
    TSL_BUG_ON(size > TSL_MAX_INPUT, "%zu first values", size);
    tsl_vec_clear(&o->first);
    tsl_vec_append(&o->first, bytes, size);
}

void tsl_outsides_copy(tsl_outsides *to, const tsl_outsides *from) {
    tsl_vec_clear(&to->inputs);
    tsl_vec_append(&to->inputs, from->inputs.data, from->inputs.len);
    tsl_outsides_set_first(to, from->first.data, from->first.len);
}

static bool is_same(const tsl_outside *a, const tsl_outside *b) {
    return a->kind == b->kind && a->place == b->place && strcmp(a->name, b->name) == 0;
}

bool tsl_outsides_add(tsl_outsides *o, enum tsl_outside_kind kind, uint32_t size, uint32_t place,
                      const char *name, tsl_err *err) {
    tsl_outside added = {.kind = kind, .size = size, .place = place};
    TSL_BUG_ON(size == 0 || size > TSL_MAX_INPUT, "an input of %u bytes", size);
    if (o->inputs.len >= TSL_MAX_OUTSIDE)
        return tsl_fail(err, TSL_EUSAGE, "more than %u inputs from outside; leave some out",
                        TSL_MAX_OUTSIDE);
    if (strlen(name) >= sizeof added.name)
        return tsl_fail(err, TSL_EUSAGE,
                        "the name %.40s... is too long; at most %zu characters fit", name,
                        sizeof added.name - 1);
    strcpy(added.name, name);
    for (size_t i = 0; i < o->inputs.len; i++)
        if (is_same(&o->inputs.data[i], &added))
            return tsl_fail(err, TSL_EUSAGE, "%s %s is an input twice; keep one of them",
                            names[kind], name);
    tsl_vec_push(&o->inputs, added);
    return true;
}
