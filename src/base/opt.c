// Command-line options described by a table; see opt.h.
#include "base/opt.h"

#include <string.h>

#include "base/file.h"
#include "base/num.h"

// ---------------------------------------------------------------- unknown names

static size_t min3(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

// Optimal string alignment distance with three rows.  A name longer than a row is not a typing
// mistake.
size_t tsl_opt_distance(const char *a, const char *b) {
    enum { MAX = 64 };
    size_t la = strlen(a), lb = strlen(b);
    if (la >= MAX || lb >= MAX)
        return MAX;
    size_t rows[3][MAX];
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] = min3(up[j] + 1, row[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                up2[j - 2] + 1 < row[j])
                row[j] = up2[j - 2] + 1;
        }
    }
    return rows[la % 3][lb];
}

static bool unknown(const tsl_opt *opts, const char *name, tsl_err *err) {
    const char *best = NULL;
    size_t best_distance = 64;
    for (const tsl_opt *o = opts; o->kind != TSL_OPT_KIND_END; o++) {
        size_t d = o->name ? tsl_opt_distance(name, o->name) : best_distance;
        if (d < best_distance) {
            best = o->name;
            best_distance = d;
        }
    }
    // If more than half of the letters differ, a suggestion does not help.
    if (best && best_distance <= 1 + strlen(name) / 2)
        return tsl_fail(err, TSL_EUSAGE, "unknown option --%s; did you mean --%s?", name, best);
    return tsl_fail(err, TSL_EUSAGE, "unknown option --%s; --help lists all", name);
}

// ---------------------------------------------------------------- values

static bool set_u64(const tsl_opt *o, const char *text, tsl_err *err) {
    uint64_t value = 0;
    enum tsl_num problem = tsl_num_u64(text, strlen(text), &value);
    if (problem != TSL_NUM_OK)
        return tsl_fail(err, TSL_EUSAGE, "--%s: '%s' %s; it takes a whole number from %llu to %llu",
                        o->name, text, tsl_num_problem(problem), (unsigned long long)o->min,
                        (unsigned long long)(o->max ? o->max : UINT64_MAX));
    if (value < o->min)
        return tsl_fail(err, TSL_EUSAGE, "--%s: %s is too small; the least is %llu", o->name, text,
                        (unsigned long long)o->min);
    if (o->max && value > o->max)
        return tsl_fail(err, TSL_EUSAGE, "--%s: %s is too large; the most is %llu", o->name, text,
                        (unsigned long long)o->max);
    *o->to.u64 = value;
    return true;
}

static bool set_seconds(const tsl_opt *o, const char *text, tsl_err *err) {
    enum tsl_num problem = tsl_num_seconds(text, o->to.seconds);
    if (problem == TSL_NUM_OK)
        return true;
    return tsl_fail(
        err, TSL_EUSAGE,
        "--%s: '%s' %s; it takes a time in seconds or with a unit: 10, 0.5, 250ms, 5m, 2h", o->name,
        text, tsl_num_problem(problem));
}

static bool set_choice(const tsl_opt *o, const char *text, tsl_err *err) {
    tsl_buf all = {0};
    for (unsigned i = 0; o->choices[i]; i++) {
        if (strcmp(o->choices[i], text) == 0) {
            *o->to.choice = i;
            tsl_buf_drop(&all);
            return true;
        }
        tsl_buf_add(&all, "%s%s", i ? ", " : "", o->choices[i]);
    }
    tsl_fail(err, TSL_EUSAGE, "--%s: there is no '%s'; it takes one of: %s", o->name, text,
             tsl_buf_text(&all));
    tsl_buf_drop(&all);
    return false;
}

static bool set_value(const tsl_opt *o, const char *text, tsl_err *err) {
    switch (o->kind) {
    case TSL_OPT_KIND_U64:
        return set_u64(o, text, err);
    case TSL_OPT_KIND_SECONDS:
        return set_seconds(o, text, err);
    case TSL_OPT_KIND_CHOICE:
        return set_choice(o, text, err);
    case TSL_OPT_KIND_STRING:
    case TSL_OPT_KIND_OUTPUT:
        *o->to.string = text;
        return true;
    case TSL_OPT_KIND_LIST:
        tsl_vec_push(o->to.list, text);
        return true;
    case TSL_OPT_KIND_FLAG:
    case TSL_OPT_KIND_GROUP:
    case TSL_OPT_KIND_END:
        break;
    }
    TSL_BUG_ON(true, "option %s of kind %d takes no value", o->name, (int)o->kind);
    return false;
}

// ---------------------------------------------------------------- walking argv

typedef struct cursor {
    const tsl_opt *opts;
    char *const *argv;
    int argc, at;
} cursor;

static const tsl_opt *by_name(const tsl_opt *opts, const char *name, size_t len) {
    for (; opts->kind != TSL_OPT_KIND_END; opts++)
        if (opts->name && strlen(opts->name) == len && memcmp(opts->name, name, len) == 0)
            return opts;
    return NULL;
}

static const tsl_opt *by_letter(const tsl_opt *opts, char letter) {
    for (; opts->kind != TSL_OPT_KIND_END; opts++)
        if (opts->name && opts->letter == letter)
            return opts;
    return NULL;
}

// The value is the next word, which is missing only at the end of argv.
static bool next_value(cursor *c, const tsl_opt *o, tsl_err *err) {
    if (c->at + 1 >= c->argc)
        return tsl_fail(err, TSL_EUSAGE, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
    return set_value(o, c->argv[++c->at], err);
}

static bool negated_flag(const tsl_opt *opts, const char *name, size_t len) {
    if (len <= 3 || memcmp(name, "no-", 3) != 0)
        return false;
    const tsl_opt *o = by_name(opts, name + 3, len - 3);
    if (!o || o->kind != TSL_OPT_KIND_FLAG)
        return false;
    *o->to.flag = false;
    return true;
}

static bool parse_long(cursor *c, const char *text, tsl_err *err) {
    size_t len = strcspn(text, "=");
    const char *value = text[len] ? text + len + 1 : NULL;
    const tsl_opt *o = by_name(c->opts, text, len);
    if (!o) {
        if (!value && negated_flag(c->opts, text, len))
            return true;
        char name[64];
        size_t n = len < sizeof name - 1 ? len : sizeof name - 1;
        memcpy(name, text, n);
        name[n] = 0;
        return unknown(c->opts, name, err);
    }
    if (o->kind != TSL_OPT_KIND_FLAG)
        return value ? set_value(o, value, err) : next_value(c, o, err);
    if (value)
        return tsl_fail(err, TSL_EUSAGE, "--%s takes no value", o->name);
    *o->to.flag = true;
    return true;
}

static bool parse_short(cursor *c, const char *letters, tsl_err *err) {
    for (; *letters; letters++) {
        const tsl_opt *o = by_letter(c->opts, *letters);
        if (!o)
            return tsl_fail(err, TSL_EUSAGE, "unknown option -%c; --help lists all", *letters);
        if (o->kind != TSL_OPT_KIND_FLAG)
            return letters[1] ? set_value(o, letters + 1, err) : next_value(c, o, err);
        *o->to.flag = true;
    }
    return true;
}

// Two files on standard output could not be told apart.
static bool take_stdout(const tsl_opt *opts, tsl_err *err) {
    const tsl_opt *taker = NULL;
    for (const tsl_opt *o = opts; o->kind != TSL_OPT_KIND_END; o++) {
        if (o->kind != TSL_OPT_KIND_OUTPUT || !*o->to.string || strcmp(*o->to.string, "-") != 0)
            continue;
        if (taker)
            return tsl_fail(err, TSL_EUSAGE,
                            "--%s and --%s can't both go to standard output; name a file for one",
                            taker->name, o->name);
        taker = o;
    }
    return !taker || tsl_file_take_stdout(err);
}

// The value of an option that may name a file, or NULL.
static const char *named(const tsl_opt *o) {
    bool names = o->kind == TSL_OPT_KIND_OUTPUT ||
                 (o->kind == TSL_OPT_KIND_STRING && strstr(o->arg, "FILE"));
    return names ? *o->to.string : NULL;
}

static bool is_same_file(const tsl_opt *o, const char *path) {
    const char *name = named(o);
    if (!name || tsl_file_is_stream(path))
        return false;
    return (o->kind == TSL_OPT_KIND_OUTPUT && strcmp(name, path) == 0) ||
           tsl_file_is_replaced_by(name, path);
}

// An output file must not be one that is read: the program, its input, the replay.
static bool check_output(const tsl_opt *opts, const tsl_opt *out, const tsl_words *words,
                         tsl_err *err) {
    const char *path = *out->to.string;
    if (!*path)
        return tsl_fail(err, TSL_EUSAGE, "--%s needs the name of a file", out->name);
    for (const tsl_opt *o = opts; o->kind != TSL_OPT_KIND_END; o++)
        if (o != out && is_same_file(o, path))
            return tsl_fail(err, TSL_EUSAGE,
                            "--%s and --%s name the same file, %s; name another one", o->name,
                            out->name, path);
    for (size_t i = 0; i < words->len; i++)
        if (tsl_file_is_replaced_by(words->data[i], path))
            return tsl_fail(err, TSL_EUSAGE,
                            "--%s would replace %s, which is read; name another file", out->name,
                            words->data[i]);
    return true;
}

static bool check_outputs(const tsl_opt *opts, const tsl_words *words, tsl_err *err) {
    for (const tsl_opt *o = opts; o->kind != TSL_OPT_KIND_END; o++)
        if (o->kind == TSL_OPT_KIND_OUTPUT && *o->to.string && !check_output(opts, o, words, err))
            return false;
    return true;
}

bool tsl_opt_parse(const tsl_opt *opts, int argc, char *const *argv, tsl_words *words,
                   tsl_words *after, tsl_err *err) {
    cursor c = {.opts = opts, .argv = argv, .argc = argc};
    for (; c.at < argc; c.at++) {
        const char *word = argv[c.at];
        bool ok = true;
        if (strcmp(word, "--") == 0)
            break;
        if (word[0] == '-' && word[1] == '-')
            ok = parse_long(&c, word + 2, err);
        else if (word[0] == '-' && word[1]) // a lone "-" means standard input
            ok = parse_short(&c, word + 1, err);
        else
            tsl_vec_push(words, word);
        if (!ok)
            return false;
    }
    for (c.at++; c.at < argc; c.at++)
        tsl_vec_push(after ? after : words, argv[c.at]);
    return check_outputs(opts, words, err) && take_stdout(opts, err);
}

// ---------------------------------------------------------------- help

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

// Breaks text into lines that start at HELP_COLUMN, where the cursor stands at first.
static void wrap(tsl_buf *out, const char *text) {
    size_t column = HELP_COLUMN;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + word > HELP_WIDTH) {
            tsl_buf_putc(out, '\n');
            tsl_buf_pad(out, HELP_COLUMN);
            column = HELP_COLUMN;
        }
        if (column > HELP_COLUMN) {
            tsl_buf_putc(out, ' ');
            column++;
        }
        tsl_buf_bytes(out, text, word);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    tsl_buf_putc(out, '\n');
}

static void help_one(const tsl_opt *o, tsl_buf *out) {
    size_t start = out->len;
    if (o->letter)
        tsl_buf_add(out, "  -%c, ", o->letter);
    else
        tsl_buf_puts(out, "      ");
    tsl_buf_add(out, "--%s", o->name);
    if (o->arg)
        tsl_buf_add(out, "=%s", o->arg);
    size_t used = out->len - start;
    if (used + 2 > HELP_COLUMN) {
        tsl_buf_putc(out, '\n');
        used = 0;
    }
    tsl_buf_pad(out, HELP_COLUMN - used);
    tsl_buf text = {0};
    tsl_buf_puts(&text, o->help);
    for (unsigned i = 0; o->choices && !o->explained && o->choices[i]; i++)
        tsl_buf_add(&text, "%s%s", i ? ", " : ": ", o->choices[i]);
    if (o->kind == TSL_OPT_KIND_OUTPUT)
        tsl_buf_puts(&text, "; - for standard output");
    wrap(out, tsl_buf_text(&text));
    tsl_buf_drop(&text);
}

void tsl_opt_help(const tsl_opt *opts, tsl_buf *out) {
    for (const tsl_opt *o = opts; o->kind != TSL_OPT_KIND_END; o++) {
        if (o->kind == TSL_OPT_KIND_GROUP)
            tsl_buf_add(out, "%s%s:\n", out->len ? "\n" : "", o->help);
        else
            help_one(o, out);
    }
}
