// Turns the nodes of a Trace into terms; see import.h.
#include "expr/import.h"

#include <string.h>

#include "base/deadline.h"
#include "expr/pool.h"

void tsl_import_init(tsl_import *im) { *im = (tsl_import){0}; }

void tsl_import_drop(tsl_import *im) {
    tsl_vec_drop(&im->nodes);
    tsl_vec_drop(&im->terms);
    tsl_vec_drop(&im->changed);
    tsl_vec_drop(&im->inputs);
    tsl_vec_drop(&im->scratch);
}

enum { SAME, CHANGED, RAW }; // values of tsl_import.changed; RAW: the label is not a node

// One reading of a Trace.
typedef struct reading {
    tsl_import *im;
    tsl_terms *terms;
    tsl_vars *vars;
    uint32_t n, known; // number of nodes of this run, and of the last run's nodes in `im`
    tsl_err *err;
} reading;

// ---------------------------------------------------------------- what a node is

static bool bad(const reading *r, uint32_t label, const char *what) {
    return tsl_fail(r->err, TSL_EINPUT, "expression %u: %s", label, what);
}

static bool has_same_shape(const tsl_expr *a, const tsl_expr *b) {
    if (memcmp(a, b, offsetof(tsl_expr, lo)) != 0)
        return false;
    bool value_matters = a->op == TSL_EXPR_CONST || a->op == TSL_EXPR_OBJECT;
    if (!value_matters)
        return true;
    // The address of an object (`hi`) does not matter.
    return a->lo == b->lo && (a->op == TSL_EXPR_OBJECT || a->hi == b->hi);
}

static bool has_good_value(const tsl_expr *node) {
    bool is_value = node->op != TSL_EXPR_OBJECT && node->op != TSL_EXPR_NONE;
    return !is_value || tsl_value_fits((tsl_value){node->lo, node->hi}, node->width);
}

static tsl_term operand(const reading *r, uint32_t label, uint32_t before) {
    return label < before ? r->im->terms.data[label] : (tsl_term){0};
}

// ---------------------------------------------------------------- building one

static bool build_object(const reading *r, uint32_t label, const tsl_expr *node) {
    tsl_expr_object object;
    memcpy(&object, node, sizeof object);
    if (object.kind >= TSL_INPUT_KINDS)
        return bad(r, label, "an input of unknown kind");
    const char *name = "";
    if (object.raw) {
        name = (const char *)(node + 1);
        if (!memchr(name, 0, (size_t)object.raw * sizeof *node))
            return bad(r, label, "a name without an end");
    }
    uint32_t input = tsl_vars_input(r->vars, object.thread, object.index);
    tsl_vars_describe(r->vars, input, &object, name);
    return true;
}

static bool build_input(const reading *r, uint32_t label, const tsl_expr *node, tsl_term *out) {
    const tsl_expr *nodes = r->im->nodes.data;
    if (node->a >= label || nodes[node->a].op != TSL_EXPR_OBJECT ||
        r->im->changed.data[node->a] == RAW)
        return bad(r, label, "an input without an object");
    tsl_expr_object object;
    memcpy(&object, &nodes[node->a], sizeof object);
    if (node->width == 0 || node->width % 8 || node->width > TSL_MOST_BITS ||
        (uint64_t)node->b + node->width / 8 > object.size)
        return bad(r, label, "an input beyond its object");
    uint32_t input = tsl_vars_input(r->vars, object.thread, object.index);
    uint32_t var = tsl_vars_intern(r->vars, input, node->b, node->width);
    tsl_vec_push(&r->im->inputs, (tsl_import_input){label, var});
    *out = tsl_term_var(r->terms, var, node->width);
    return true;
}

static bool build_lookup(const reading *r, uint32_t label, const tsl_expr *node, tsl_term *out) {
    tsl_term index = operand(r, node->a, label);
    if (!index.i)
        return bad(r, label, "an operand that is not a value");
    if (node->extra < 1 || node->extra > 16 || node->width != 8 * node->extra || node->b < 1)
        return bad(r, label, "a malformed table");
    *out = tsl_term_lookup(r->terms, node->extra, node + 1, node->b, index);
    return true;
}

static bool build_operator(const reading *r, uint32_t label, const tsl_expr *node, tsl_term *out) {
    unsigned arity = tsl_expr_arity[node->op];
    tsl_term a = operand(r, node->a, label), b = {0}, c = {0};
    if (arity > 1)
        b = operand(r, node->b, label);
    if (arity > 2)
        c = operand(r, node->c, label);
    if (!tsl_term_may_make(r->terms, node->op, node->width, node->extra, a, b, c))
        return bad(r, label, "operands that do not fit the operator");
    *out = tsl_term_make(r->terms, node->op, node->width, node->extra, a, b, c);
    return true;
}

// Builds the term of a node.  The node, and raw entries after it, are in the reader's own memory.
static bool build(const reading *r, uint32_t label, const tsl_expr *node, tsl_term *out) {
    switch (node->op) {
    case TSL_EXPR_NONE:
        return bad(r, label, "nothing");
    case TSL_EXPR_OBJECT:
        return build_object(r, label, node);
    case TSL_EXPR_CONST:
        if (node->width < 1 || node->width > TSL_MOST_BITS)
            return bad(r, label, "a constant with no or too many bits");
        *out = tsl_term_const(r->terms, node->width, (tsl_value){node->lo, node->hi});
        return true;
    case TSL_EXPR_INPUT:
        return build_input(r, label, node, out);
    case TSL_EXPR_LOOKUP:
        return build_lookup(r, label, node, out);
    default:
        return build_operator(r, label, node, out);
    }
}

// ---------------------------------------------------------------- all of them

// The number of nodes at the start that are those of the last run, except for their values.
static uint32_t read_prefix(const reading *r, const tsl_expr *nodes) {
    tsl_expr *mine = r->im->nodes.data;
    uint32_t i = 1;
    while (i < r->n && i < r->known) {
        const tsl_expr *node = &nodes[i];
        uint64_t raw = tsl_expr_raw(&mine[i]);
        if (i + 1 + raw > r->n || !has_same_shape(&mine[i], node) || !has_good_value(node) ||
            (raw && memcmp(&mine[i + 1], node + 1, raw * sizeof *node) != 0))
            break;
        mine[i].lo = node->lo;
        mine[i].hi = node->hi;
        i += 1 + (uint32_t)raw;
    }
    return i < r->n ? i : r->n;
}

static bool depends_on_change(const reading *r, uint32_t label, const tsl_expr *node) {
    const uint32_t operands[] = {node->a, node->b, node->c};
    for (unsigned k = 0; k < tsl_expr_arity[node->op]; k++)
        if (operands[k] >= label || r->im->changed.data[operands[k]])
            return true;
    return false;
}

static bool read_node(const reading *r, const tsl_expr *nodes, uint32_t label, uint64_t *raw) {
    tsl_import *im = r->im;
    tsl_expr *mine = &im->nodes.data[label];
    const tsl_expr *node = &nodes[label];
    tsl_term old = label < r->known ? im->terms.data[label] : (tsl_term){0}, fresh = {0};
    bool keep = old.i && has_same_shape(mine, node) && node->op != TSL_EXPR_INPUT;
    *mine = *node;
    if (mine->op >= TSL_EXPR_COUNT)
        return bad(r, label, "an unknown operator");
    *raw = tsl_expr_raw(mine);
    if (*raw >= r->n - label)
        return bad(r, label, "raw nodes beyond the end");
    size_t behind = (size_t)*raw * sizeof *node;
    keep = keep && label + *raw < r->known &&
           (*raw == 0 || memcmp(mine + 1, node + 1, behind) == 0) &&
           !depends_on_change(r, label, mine);
    memcpy(mine + 1, node + 1, behind);
    if (!has_good_value(mine))
        return bad(r, label, "a value beyond its width");
    if (!keep) {
        im->rebuilt++;
        if (!build(r, label, mine, &fresh))
            return false;
    }
    im->terms.data[label] = keep ? old : fresh;
    im->changed.data[label] = !keep && fresh.i != old.i ? CHANGED : SAME;
    for (uint32_t k = 1; k <= *raw; k++) {
        im->terms.data[label + k] = (tsl_term){0};
        im->changed.data[label + k] = RAW;
    }
    return true;
}

static int by_place(const void *a, const void *b) {
    const tsl_var *x = a, *y = b;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

// No byte of an input may belong to two variables, because a model could then contradict itself.
static bool are_apart(const reading *r) {
    tsl_import *im = r->im;
    tsl_vec_clear(&im->scratch);
    for (size_t i = 0; i < im->inputs.len; i++)
        tsl_vec_push(&im->scratch, r->vars->vars.data[im->inputs.data[i].var]);
    tsl_vec_sort(&im->scratch, by_place);
    for (size_t i = 1; i < im->scratch.len; i++) {
        const tsl_var *x = &im->scratch.data[i - 1], *y = &im->scratch.data[i];
        if (x->input == y->input && x->offset + x->width / 8 > y->offset)
            return tsl_fail(r->err, TSL_EINPUT, "two variables share byte %u of an input",
                            y->offset);
    }
    return true;
}

static bool read_all(const reading *r, const tsl_expr *nodes) {
    tsl_import *im = r->im;
    uint32_t from = read_prefix(r, nodes);
    while (im->inputs.len && tsl_vec_last(&im->inputs).label >= from)
        (void)tsl_vec_pop(&im->inputs);
    size_t inputs = im->inputs.len;
    for (uint32_t i = from; i < r->n;) {
        uint64_t raw = 0;
        tsl_deadline_ask();
        if (!read_node(r, nodes, i, &raw))
            return false;
        i += 1 + (uint32_t)raw;
    }
    for (uint32_t i = from; i < r->n; i++)
        if (im->changed.data[i] == CHANGED)
            im->changed.data[i] = SAME;
    return im->inputs.len == inputs || are_apart(r);
}

bool tsl_import_read(tsl_import *im, tsl_terms *terms, tsl_vars *vars, const tsl_expr *nodes,
                     uint32_t n, tsl_err *err) {
    reading r = {im, terms, vars, n, (uint32_t)im->nodes.len, err};
    im->rebuilt = 0;
    tsl_vec_lengthen(&im->nodes, n);
    tsl_vec_lengthen(&im->terms, n);
    tsl_vec_lengthen(&im->changed, n);
    bool ok = n == 0 || read_all(&r, nodes);
    im->nodes.len = im->terms.len = im->changed.len = ok ? n : 0;
    if (!ok || n == 0)
        tsl_vec_clear(&im->inputs);
    return ok;
}

// ---------------------------------------------------------------- what was read

tsl_term tsl_import_term(const tsl_import *im, uint32_t label) {
    return label < im->terms.len ? im->terms.data[label] : (tsl_term){0};
}

tsl_term tsl_import_condition(const tsl_import *im, tsl_terms *terms, uint64_t label) {
    tsl_term t = label < UINT32_MAX ? tsl_import_term(im, (uint32_t)label) : (tsl_term){0};
    return t.i && tsl_term_width(terms, t) == 1 ? t : (tsl_term){0};
}

tsl_value tsl_import_value(const tsl_import *im, uint32_t label) {
    if (!tsl_import_term(im, label).i)
        return (tsl_value){0};
    return (tsl_value){im->nodes.data[label].lo, im->nodes.data[label].hi};
}

void tsl_import_model(const tsl_import *im, const tsl_vars *vars, tsl_model *model) {
    tsl_vec_clear(model);
    tsl_vec_lengthen(model, vars->vars.len);
    for (size_t i = 0; i < im->inputs.len; i++)
        model->data[im->inputs.data[i].var] = tsl_import_value(im, im->inputs.data[i].label);
}

bool tsl_import_check(const tsl_import *im, const tsl_vars *vars, tsl_evaluator *ev,
                      uint32_t *label) {
    tsl_model model = {0};
    tsl_import_model(im, vars, &model);
    tsl_evaluator_begin(ev, model.data, model.len);
    bool ok = true;
    for (uint32_t i = 1; ok && i < im->terms.len; i++) {
        if (!im->terms.data[i].i)
            continue;
        ok = tsl_value_equal(tsl_evaluator_value(ev, im->terms.data[i]), tsl_import_value(im, i));
        if (!ok)
            *label = i;
    }
    tsl_vec_drop(&model);
    return ok;
}
