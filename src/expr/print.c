// Prints a term as a C programmer would write it; see print.h.
#include "expr/print.h"

#include "expr/pool.h"

enum { MOST_LEVELS = 24, MOST_LETTERS = 400 };

// Precedence of operators as in C: a higher level binds tighter.
enum {
    LEVEL_CHOICE = 1,
    LEVEL_OR_ELSE,
    LEVEL_AND_ALSO,
    LEVEL_OR,
    LEVEL_XOR,
    LEVEL_AND,
    LEVEL_EQUAL,
    LEVEL_LESS,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
    LEVEL_ATOM
};

typedef struct infix {
    const char *text;
    uint8_t level;
} infix;

static const infix infixes[TSL_EXPR_COUNT] = {
    [TSL_EXPR_ADD] = {"+", LEVEL_SUM},       [TSL_EXPR_SUB] = {"-", LEVEL_SUM},
    [TSL_EXPR_MUL] = {"*", LEVEL_PRODUCT},   [TSL_EXPR_UDIV] = {"/", LEVEL_PRODUCT},
    [TSL_EXPR_SDIV] = {"/", LEVEL_PRODUCT},  [TSL_EXPR_UREM] = {"%", LEVEL_PRODUCT},
    [TSL_EXPR_SREM] = {"%", LEVEL_PRODUCT},  [TSL_EXPR_AND] = {"&", LEVEL_AND},
    [TSL_EXPR_OR] = {"|", LEVEL_OR},         [TSL_EXPR_XOR] = {"^", LEVEL_XOR},
    [TSL_EXPR_SHL] = {"<<", LEVEL_SHIFT},    [TSL_EXPR_LSHR] = {">>", LEVEL_SHIFT},
    [TSL_EXPR_ASHR] = {">>", LEVEL_SHIFT},   [TSL_EXPR_EQ] = {"==", LEVEL_EQUAL},
    [TSL_EXPR_ULT] = {"<", LEVEL_LESS},      [TSL_EXPR_ULE] = {"<=", LEVEL_LESS},
    [TSL_EXPR_SLT] = {"<", LEVEL_LESS},      [TSL_EXPR_SLE] = {"<=", LEVEL_LESS},
    [TSL_EXPR_CONCAT] = {":", LEVEL_CHOICE},
};

typedef struct printer {
    const tsl_terms *p;
    const tsl_vars *vars;
    tsl_buf *out;
    size_t start;
    unsigned depth;
} printer;

static void put(printer *pr, tsl_term t, unsigned level);

static void put_number(printer *pr, tsl_value v, unsigned width, bool is_unsigned) {
    tsl_wide_signed s = tsl_wide_sign(tsl_wide_of(v), width);
    if (is_unsigned ? v.hi == 0 : s >= 0 && s <= INT64_MAX)
        tsl_buf_add(pr->out, v.lo < 100000 ? "%llu" : "0x%llx", (unsigned long long)v.lo);
    else if (!is_unsigned && s >= INT64_MIN)
        tsl_buf_add(pr->out, "%lld", (long long)s);
    else
        tsl_buf_add(pr->out, "0x%llx%016llx", (unsigned long long)v.hi, (unsigned long long)v.lo);
    if (is_unsigned)
        tsl_buf_putc(pr->out, 'u');
}

static bool is_constant(const printer *pr, tsl_term t) { return tsl_term_is_const(pr->p, t); }

static void put_operand(printer *pr, tsl_term t, unsigned level, bool is_unsigned) {
    if (is_constant(pr, t))
        put_number(pr, tsl_term_value(pr->p, t), tsl_term_width(pr->p, t), is_unsigned);
    else
        put(pr, t, level);
}

static void put_infix(printer *pr, const tsl_node *n, const char *text, unsigned level) {
    bool is_unsigned = n->op == TSL_EXPR_ULT || n->op == TSL_EXPR_ULE;
    tsl_term b = {n->b};
    tsl_wide_signed k = 0;
    if (n->op == TSL_EXPR_ADD && is_constant(pr, b))
        k = tsl_wide_sign(tsl_wide_of(tsl_term_value(pr->p, b)), n->width);
    put_operand(pr, (tsl_term){n->a}, level, is_unsigned);
    if (k < 0 && k >= INT64_MIN) {
        tsl_buf_puts(pr->out, " - ");
        put_number(pr, tsl_value_of((tsl_wide)-k, n->width), n->width, false);
        return;
    }
    tsl_buf_add(pr->out, " %s ", text);
    put_operand(pr, b, level + 1, is_unsigned);
}

static void put_not(printer *pr, const tsl_node *n) {
    const tsl_node *a = &pr->p->nodes.data[n->a];
    if (n->width == 1 && a->op == TSL_EXPR_EQ)
        put_infix(pr, a, "!=", LEVEL_EQUAL);
    else {
        tsl_buf_putc(pr->out, n->width == 1 ? '!' : '~');
        put(pr, (tsl_term){n->a}, LEVEL_UNARY);
    }
}

static unsigned level_of(const printer *pr, const tsl_node *n) {
    bool cond = n->width == 1;
    if (n->op == TSL_EXPR_NOT)
        return cond && pr->p->nodes.data[n->a].op == TSL_EXPR_EQ ? LEVEL_EQUAL : LEVEL_UNARY;
    if (n->op == TSL_EXPR_ITE)
        return LEVEL_CHOICE;
    if (cond && (n->op == TSL_EXPR_AND || n->op == TSL_EXPR_OR))
        return n->op == TSL_EXPR_AND ? LEVEL_AND_ALSO : LEVEL_OR_ELSE;
    return infixes[n->op].level ? infixes[n->op].level : LEVEL_ATOM;
}

static void put_atom(printer *pr, tsl_term t, const tsl_node *n) {
    switch (n->op) {
    case TSL_EXPR_CONST:
        put_number(pr, tsl_node_value(pr->p, n), n->width, false);
        break;
    case TSL_EXPR_INPUT:
        if (pr->vars && n->a < pr->vars->vars.len)
            tsl_var_print(pr->vars, n->a, pr->out);
        else
            tsl_buf_add(pr->out, "v%u", n->a);
        break;
    case TSL_EXPR_EXTRACT:
        put(pr, (tsl_term){n->a}, LEVEL_ATOM);
        tsl_buf_add(pr->out, "{%u..%u}", n->extra + n->width - 1u, n->extra);
        break;
    case TSL_EXPR_LOOKUP:
        tsl_buf_add(pr->out, "table%u[", n->b);
        put(pr, (tsl_term){n->a}, LEVEL_CHOICE);
        tsl_buf_putc(pr->out, ']');
        break;
    default:
        tsl_buf_add(pr->out, "?%u", t.i);
    }
}

static void put_choice(printer *pr, const tsl_node *n) {
    put(pr, (tsl_term){n->a}, LEVEL_OR_ELSE);
    tsl_buf_puts(pr->out, " ? ");
    put(pr, (tsl_term){n->b}, LEVEL_CHOICE);
    tsl_buf_puts(pr->out, " : ");
    put(pr, (tsl_term){n->c}, LEVEL_CHOICE);
}

static void put_inside(printer *pr, tsl_term t, const tsl_node *n, unsigned own) {
    if (n->op == TSL_EXPR_NOT)
        put_not(pr, n);
    else if (n->op == TSL_EXPR_ITE)
        put_choice(pr, n);
    else if (own == LEVEL_AND_ALSO || own == LEVEL_OR_ELSE)
        put_infix(pr, n, own == LEVEL_AND_ALSO ? "&&" : "||", own);
    else if (infixes[n->op].text)
        put_infix(pr, n, infixes[n->op].text, own);
    else
        put_atom(pr, t, n);
}

static void put(printer *pr, tsl_term t, unsigned level) {
    const tsl_node *n = tsl_node_of(pr->p, t);
    while (n->op == TSL_EXPR_ZEXT || n->op == TSL_EXPR_SEXT) {
        t = (tsl_term){n->a};
        n = tsl_node_of(pr->p, t);
    }
    if (pr->depth >= MOST_LEVELS || pr->out->len - pr->start > MOST_LETTERS) {
        tsl_buf_puts(pr->out, "...");
        return;
    }
    unsigned own = level_of(pr, n);
    pr->depth++;
    if (own < level)
        tsl_buf_putc(pr->out, '(');
    put_inside(pr, t, n, own);
    if (own < level)
        tsl_buf_putc(pr->out, ')');
    pr->depth--;
}

void tsl_print_term(const tsl_terms *terms, tsl_term t, const tsl_vars *vars, tsl_buf *out) {
    printer pr = {terms, vars, out, out->len, 0};
    put(&pr, t, LEVEL_CHOICE);
}
