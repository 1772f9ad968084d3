// Writes and reads tracefiles of lcov; see lcov.h.
#include "report/lcov.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "report/records.h"

#define HEAD "# teasel coverage 1, files: "

static void file_drop(tsl_lcov_file *f) {
    for (size_t i = 0; i < f->functions.len; i++)
        tsl_free(f->functions.data[i].name);
    tsl_vec_drop(&f->functions);
    tsl_vec_drop(&f->lines);
    tsl_vec_drop(&f->outcomes);
    tsl_free(f->path);
}

void tsl_lcov_drop(tsl_lcov *l) {
    for (size_t i = 0; i < l->files.len; i++)
        file_drop(&l->files.data[i]);
    tsl_vec_drop(&l->files);
}

// ---------------------------------------------------------------- from a program

typedef struct branch {
    const tsl_cover_cell *first; // its outcomes follow
    size_t number;               // in the order of the functions
} branch;

typedef TSL_VEC(branch) branches;

static int by_branch(const void *a, const void *b) {
    const branch *x = a, *y = b;
    if (x->first->line != y->first->line)
        return x->first->line < y->first->line ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void collect_branches(const tsl_coverage *c, size_t from, size_t to, branches *out) {
    for (size_t f = from; f < to; f++) {
        const tsl_cover_cell *cells = c->cells.data + c->functions.data[f].first;
        size_t n = c->functions.data[f].n;
        for (size_t i = 0; i < n; i++)
            if (cells[i].outcomes && cells[i].outcome == 0 && cells[i].outcomes <= n - i)
                tsl_vec_push(out, (branch){&cells[i], out->len});
    }
    tsl_vec_sort(out, by_branch);
}

static void add_branches(tsl_lcov_file *file, const tsl_coverage *c, size_t from, size_t to) {
    branches all = {0};
    collect_branches(c, from, to, &all);
    uint32_t number = 0;
    for (size_t b = 0; b < all.len; b++) {
        const tsl_cover_cell *cells = all.data[b].first;
        bool there = false;
        number = b && all.data[b - 1].first->line == cells->line ? number + 1 : 0;
        for (uint32_t i = 0; i < cells->outcomes; i++)
            there |= cells[i].reached;
        for (uint32_t i = 0; i < cells->outcomes; i++)
            tsl_vec_push(&file->outcomes,
                         (tsl_lcov_outcome){cells->line, number, i,
                                            !there             ? TSL_LCOV_NEVER_THERE
                                            : cells[i].reached ? TSL_LCOV_TAKEN
                                                               : TSL_LCOV_NOT_TAKEN});
    }
    tsl_vec_drop(&all);
}

void tsl_lcov_add(tsl_lcov *l, const tsl_coverage *c) {
    tsl_cover_cells lines = {0};
    for (size_t from = 0, to; from < c->functions.len; from = to) {
        to = tsl_coverage_file_end(c, from);
        tsl_lcov_file file = {.path = tsl_strdup(c->functions.data[from].path)};
        for (size_t i = from; i < to; i++) {
            const tsl_cover_function *f = &c->functions.data[i];
            tsl_vec_push(&file.functions,
                         (tsl_lcov_function){tsl_strdup(f->name), f->line, f->reached});
        }
        tsl_vec_clear(&lines);
        tsl_coverage_lines(c, from, to, &lines);
        for (size_t i = 0; i < lines.len; i++)
            tsl_vec_push(&file.lines, (tsl_lcov_line){lines.data[i].line, lines.data[i].reached});
        add_branches(&file, c, from, to);
        tsl_vec_push(&l->files, file);
    }
    tsl_vec_drop(&lines);
}

// ---------------------------------------------------------------- one of each

static int by_path(const void *a, const void *b) {
    return strcmp(((const tsl_lcov_file *)a)->path, ((const tsl_lcov_file *)b)->path);
}

static int by_function(const void *a, const void *b) {
    const tsl_lcov_function *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_line(const void *a, const void *b) {
    const tsl_lcov_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static int by_outcome(const void *a, const void *b) {
    const tsl_lcov_outcome *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->branch != y->branch)
        return x->branch < y->branch ? -1 : 1;
    return (x->outcome > y->outcome) - (x->outcome < y->outcome);
}

// Sorts a vector and joins equal elements into the first of them with `join`.
#define UNITE(v, compare, join)                                                                    \
    do {                                                                                           \
        size_t kept_ = 0;                                                                          \
        tsl_vec_sort(v, compare);                                                                  \
        for (size_t i_ = 0; i_ < (v)->len; i_++)                                                   \
            if (kept_ && compare(&(v)->data[kept_ - 1], &(v)->data[i_]) == 0)                      \
                join(&(v)->data[kept_ - 1], &(v)->data[i_]);                                       \
            else                                                                                   \
                (v)->data[kept_++] = (v)->data[i_];                                                \
        (v)->len = kept_;                                                                          \
    } while (0)

static void join_functions(tsl_lcov_function *to, tsl_lcov_function *from) {
    to->reached |= from->reached;
    tsl_free(from->name);
}

static void join_lines(tsl_lcov_line *to, const tsl_lcov_line *from) {
    to->reached |= from->reached;
}

static void join_outcomes(tsl_lcov_outcome *to, const tsl_lcov_outcome *from) {
    to->taken = to->taken > from->taken ? to->taken : from->taken;
}

static void join_files(tsl_lcov_file *to, tsl_lcov_file *from) {
    tsl_vec_append(&to->functions, from->functions.data, from->functions.len);
    tsl_vec_append(&to->lines, from->lines.data, from->lines.len);
    tsl_vec_append(&to->outcomes, from->outcomes.data, from->outcomes.len);
    from->functions.len = 0; // names have moved
    file_drop(from);
}

// If another program reached a branch, none of its outcomes is NEVER_THERE any more.
static void settle_outcomes(tsl_lcov_file *f) {
    for (size_t i = 0, end; i < f->outcomes.len; i = end) {
        const tsl_lcov_outcome *first = &f->outcomes.data[i];
        bool there = false;
        for (end = i; end < f->outcomes.len && f->outcomes.data[end].line == first->line &&
                      f->outcomes.data[end].branch == first->branch;
             end++)
            there |= f->outcomes.data[end].taken != TSL_LCOV_NEVER_THERE;
        for (size_t k = i; there && k < end; k++)
            if (f->outcomes.data[k].taken == TSL_LCOV_NEVER_THERE)
                f->outcomes.data[k].taken = TSL_LCOV_NOT_TAKEN;
    }
}

static void settle(tsl_lcov *l) {
    UNITE(&l->files, by_path, join_files);
    for (size_t i = 0; i < l->files.len; i++) {
        tsl_lcov_file *f = &l->files.data[i];
        UNITE(&f->functions, by_function, join_functions);
        UNITE(&f->lines, by_line, join_lines);
        UNITE(&f->outcomes, by_outcome, join_outcomes);
        settle_outcomes(f);
    }
}

// ---------------------------------------------------------------- writing

enum total { FUNCTIONS_FOUND, FUNCTIONS_HIT, BRANCHES_FOUND, BRANCHES_HIT, LINES_FOUND, LINES_HIT };

static size_t total(const tsl_lcov_file *f, enum total which) {
    size_t hit = 0;
    switch (which) {
    case FUNCTIONS_FOUND:
        return f->functions.len;
    case BRANCHES_FOUND:
        return f->outcomes.len;
    case LINES_FOUND:
        return f->lines.len;
    case FUNCTIONS_HIT:
        for (size_t i = 0; i < f->functions.len; i++)
            hit += f->functions.data[i].reached;
        return hit;
    case BRANCHES_HIT:
        for (size_t i = 0; i < f->outcomes.len; i++)
            hit += f->outcomes.data[i].taken == TSL_LCOV_TAKEN;
        return hit;
    case LINES_HIT:
        for (size_t i = 0; i < f->lines.len; i++)
            hit += f->lines.data[i].reached;
        return hit;
    }
    return hit;
}

static void format_functions(const tsl_lcov_file *f, tsl_buf *out) {
    for (size_t i = 0; i < f->functions.len; i++)
        tsl_buf_add(out, "FN:%" PRIu32 ",%s\n", f->functions.data[i].line,
                    f->functions.data[i].name);
    for (size_t i = 0; i < f->functions.len; i++)
        tsl_buf_add(out, "FNDA:%d,%s\n", f->functions.data[i].reached, f->functions.data[i].name);
    tsl_buf_add(out, "FNF:%zu\nFNH:%zu\n", f->functions.len, total(f, FUNCTIONS_HIT));
}

static void format_outcomes(const tsl_lcov_file *f, tsl_buf *out) {
    static const char taken[] = {'-', '0', '1'};
    for (size_t i = 0; i < f->outcomes.len; i++) {
        const tsl_lcov_outcome *o = &f->outcomes.data[i];
        tsl_buf_add(out, "BRDA:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%c\n", o->line, o->branch,
                    o->outcome, taken[o->taken]);
    }
    if (f->outcomes.len)
        tsl_buf_add(out, "BRF:%zu\nBRH:%zu\n", f->outcomes.len, total(f, BRANCHES_HIT));
}

static void format_lines(const tsl_lcov_file *f, tsl_buf *out) {
    for (size_t i = 0; i < f->lines.len; i++)
        tsl_buf_add(out, "DA:%" PRIu32 ",%d\n", f->lines.data[i].line, f->lines.data[i].reached);
    tsl_buf_add(out, "LF:%zu\nLH:%zu\n", f->lines.len, total(f, LINES_HIT));
}

void tsl_lcov_format(tsl_lcov *l, tsl_buf *out) {
    settle(l);
    for (size_t i = 0; i < l->files.len; i++) {
        const tsl_lcov_file *f = &l->files.data[i];
        tsl_buf_add(out, "TN:\nSF:%s\n", f->path);
        format_functions(f, out);
        format_outcomes(f, out);
        format_lines(f, out);
        tsl_buf_puts(out, "end_of_record\n");
    }
}

void tsl_lcov_keep(tsl_lcov *l, tsl_buf *out) {
    settle(l);
    tsl_buf_add(out, HEAD "%zu\n", l->files.len);
    tsl_lcov_format(l, out);
}

bool tsl_lcov_write(const char *path, tsl_lcov *l, tsl_err *err) {
    tsl_buf text = {0};
    tsl_lcov_format(l, &text);
    return tsl_file_write_text(path, &text, err);
}

// ---------------------------------------------------------------- reading

typedef struct reader {
    tsl_records in;
    tsl_lcov_file file; // the file whose records are being read; without a path: none
    size_t entered;     // number of its functions that had their FNDA
    bool told[6];       // which of its totals were read
    tsl_lcov *to;
} reader;

static bool bad(const reader *r, const char *why) { return tsl_records_refuse(&r->in, why); }

static const char *value(const reader *r, const char *key) {
    return tsl_records_value(&r->in, key);
}

static bool number(const reader *r, const char **at, char stop, uint64_t max, uint64_t *out) {
    return tsl_records_number(&r->in, at, stop, max, out);
}

static bool is_text(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
    return len > 0;
}

static bool read_path(reader *r, const char *at) {
    size_t len = (size_t)(r->in.line + r->in.len - at);
    if (r->file.path)
        return bad(r, "a file begins before the last one ends");
    if (!is_text(at, len))
        return bad(r, "expected the name of a file");
    r->file.path = tsl_strndup(at, len);
    return true;
}

static bool read_function(reader *r, const char *at) {
    uint64_t line;
    if (!number(r, &at, ',', UINT32_MAX, &line) ||
        !is_text(at, (size_t)(r->in.line + r->in.len - at)))
        return bad(r, "expected the line and name of a function");
    tsl_vec_push(&r->file.functions,
                 (tsl_lcov_function){.name = tsl_strndup(at, (size_t)(r->in.line + r->in.len - at)),
                                     .line = (uint32_t)line});
    return true;
}

// The FNDA records must be in the order of the functions.
static bool read_entered(reader *r, const char *at) {
    uint64_t reached;
    if (!number(r, &at, ',', 1, &reached) || r->entered >= r->file.functions.len)
        return bad(r, "expected 0 or 1 and the name of a function");
    tsl_lcov_function *f = &r->file.functions.data[r->entered++];
    size_t len = (size_t)(r->in.line + r->in.len - at);
    if (strlen(f->name) != len || memcmp(f->name, at, len) != 0)
        return bad(r, "the functions are in another order than before");
    f->reached = reached;
    return true;
}

static bool read_line(reader *r, const char *at) {
    uint64_t line, reached;
    if (!number(r, &at, ',', UINT32_MAX, &line) || !number(r, &at, 0, 1, &reached))
        return bad(r, "expected the number of a line, and 0 or 1");
    tsl_vec_push(&r->file.lines, (tsl_lcov_line){(uint32_t)line, reached});
    return true;
}

static bool read_outcome(reader *r, const char *at) {
    uint64_t line, branch, outcome, taken;
    if (!number(r, &at, ',', UINT32_MAX, &line) || !number(r, &at, ',', UINT32_MAX, &branch) ||
        !number(r, &at, ',', UINT32_MAX, &outcome))
        return bad(r, "expected the numbers of a line, a branch and an outcome");
    bool never = at + 1 == r->in.line + r->in.len && *at == '-';
    if (!never && !number(r, &at, 0, 1, &taken))
        return bad(r, "expected -, 0 or 1 for an outcome");
    tsl_vec_push(&r->file.outcomes,
                 (tsl_lcov_outcome){(uint32_t)line, (uint32_t)branch, (uint32_t)outcome,
                                    never   ? TSL_LCOV_NEVER_THERE
                                    : taken ? TSL_LCOV_TAKEN
                                            : TSL_LCOV_NOT_TAKEN});
    return true;
}

static bool read_total(reader *r, const char *at, enum total which) {
    uint64_t n;
    if (!number(r, &at, 0, UINT64_MAX, &n) || n != total(&r->file, which))
        return bad(r, "the total is wrong");
    r->told[which] = true;
    return true;
}

static bool read_end(reader *r) {
    bool branches_told = r->told[BRANCHES_FOUND] && r->told[BRANCHES_HIT];
    if (!r->told[FUNCTIONS_HIT] || !r->told[FUNCTIONS_FOUND] || !r->told[LINES_FOUND] ||
        !r->told[LINES_HIT] || r->entered != r->file.functions.len ||
        (r->file.outcomes.len && !branches_told))
        return bad(r, "a record is missing before it");
    tsl_vec_push(&r->to->files, r->file);
    memset(&r->file, 0, sizeof r->file);
    memset(r->told, 0, sizeof r->told);
    r->entered = 0;
    return true;
}

static bool read_record(reader *r) {
    static const struct {
        const char *key;
        bool (*read)(reader *r, const char *at);
    } records[] = {{"FN:", read_function},
                   {"FNDA:", read_entered},
                   {"DA:", read_line},
                   {"BRDA:", read_outcome}};
    static const char *const totals[] = {"FNF:", "FNH:", "BRF:", "BRH:", "LF:", "LH:"};
    const char *at;
    if ((at = value(r, "SF:")))
        return read_path(r, at);
    if (!r->file.path)
        return r->in.len == 3 && value(r, "TN:") ? true : bad(r, "expected the start of a file");
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        if ((at = value(r, records[i].key)))
            return records[i].read(r, at);
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if ((at = value(r, totals[i])))
            return read_total(r, at, (enum total)i);
    if (r->in.len == strlen("end_of_record") && value(r, "end_of_record"))
        return read_end(r);
    return bad(r, "not a line of a coverage file");
}

static bool read_all(reader *r) {
    uint64_t files;
    const char *at = tsl_records_begin(&r->in, HEAD, "# teasel coverage ");
    if (!at)
        return false;
    if (!number(r, &at, 0, UINT64_MAX, &files))
        return bad(r, "expected a number of files");
    size_t before = r->to->files.len;
    while (tsl_records_next(&r->in))
        if (!read_record(r))
            return false;
    if (r->file.path)
        return bad(r, "the end is missing");
    return r->to->files.len - before == files || bad(r, "the number of files is wrong");
}

bool tsl_lcov_parse(const char *name, const char *text, size_t len, tsl_lcov *l, tsl_err *err) {
    size_t before = l->files.len;
    reader r = {.in = {.name = name, .at = text, .end = text + len, .err = err}, .to = l};
    bool ok = read_all(&r);
    file_drop(&r.file);
    while (!ok && l->files.len > before)
        file_drop(&tsl_vec_pop(&l->files));
    return ok;
}
