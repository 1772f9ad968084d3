// Reads and counts coverage of the program; see cover.h.
#include "report/cover.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A coverage point that is reached marks a function (cell ENTRY) or a cell.
enum { ENTRY = UINT32_MAX };

typedef struct mark {
    uint32_t point, function, cell;
} mark;

typedef struct tsl_cover_marks {
    TSL_VEC(mark) all; // sorted by point
} marks;

static bool is_line(const tsl_cover_cell *cell) { return cell->outcomes == 0; }

// ---------------------------------------------------------------- reading the tables

typedef struct reader {
    tsl_coverage *coverage;
    const tsl_cover_tables *tables;
    const tsl_sites *sites;
    uint32_t file, folder; // strings that were looked at last
    char *path;            // their path
} reader;

static void add_mark(reader *r, uint32_t point, size_t cell) {
    mark l = {point, (uint32_t)r->coverage->functions.len, (uint32_t)cell};
    if (point < r->tables->npoints)
        tsl_vec_push(&r->coverage->marks->all, l);
}

static const tsl_cover_cell *last_cell(const reader *r, size_t first) {
    return r->coverage->cells.len > first ? &tsl_vec_last(&r->coverage->cells) : NULL;
}

// May the place follow the last cell?  Lines, in order, come before branches with their outcomes.
static bool fits(const tsl_cover_cell *last, const tsl_cover_place *place) {
    bool open = last && last->outcome + 1u < last->outcomes;
    if (place->outcomes == 0)
        return !last || (is_line(last) && place->line >= last->line);
    if (open)
        return place->outcomes == last->outcomes && place->outcome == last->outcome + 1u;
    return place->outcome == 0 && place->outcomes > 1;
}

// Returns false if the place, and so the rest, is malformed.
static bool add_place(reader *r, const tsl_cover_place *place, size_t first) {
    const tsl_cover_cell *last = last_cell(r, first);
    if (!fits(last, place))
        return false;
    bool again = place->outcomes == 0 && last && last->line == place->line;
    if (!again)
        tsl_vec_push(&r->coverage->cells, (tsl_cover_cell){.line = place->line,
                                                           .column = place->column,
                                                           .outcome = place->outcome,
                                                           .outcomes = place->outcomes});
    add_mark(r, place->point, r->coverage->cells.len - 1);
    return true;
}

// The path is resolved if the file exists here, so that a file has one name however it is included.
static const char *path_of(reader *r, const tsl_cover_func *f) {
    if (r->path && r->file == f->file && r->folder == f->folder)
        return r->path;
    const char *file = tsl_sites_string(r->sites, f->file);
    const char *folder = tsl_sites_string(r->sites, f->folder);
    char full[PATH_MAX];
    tsl_free(r->path);
    r->path = file[0] == '/' ? tsl_strdup(file) : tsl_asprintf("%s/%s", folder, file);
    if (realpath(r->path, full)) {
        tsl_free(r->path);
        r->path = tsl_strdup(full);
    }
    r->file = f->file;
    r->folder = f->folder;
    return r->path;
}

static void add_function(reader *r, const tsl_cover_func *f, size_t first_place) {
    tsl_coverage *c = r->coverage;
    const char *name = tsl_sites_string(r->sites, f->name);
    const char *file = tsl_sites_string(r->sites, f->file);
    if (!name[0] || !file[0])
        return;
    tsl_cover_function function = {.name = tsl_strdup(name),
                                   .file = tsl_strdup(file),
                                   .path = tsl_strdup(path_of(r, f)),
                                   .line = f->line,
                                   .first = c->cells.len};
    add_mark(r, f->point, ENTRY);
    for (size_t i = 0; i < f->nplaces; i++) {
        tsl_cover_place place = r->tables->places[first_place + i];
        if (!add_place(r, &place, function.first))
            break;
    }
    function.n = c->cells.len - function.first;
    tsl_vec_push(&c->functions, function);
}

static void read_tables(reader *r) {
    size_t place = 0;
    for (size_t i = 0; i < r->tables->nfuncs; i++) {
        tsl_cover_func f = r->tables->funcs[i];
        if (f.nplaces > r->tables->nplaces - place)
            return;
        add_function(r, &f, place);
        place += f.nplaces;
    }
}

// ---------------------------------------------------------------- order and copies

typedef struct sorted {
    tsl_cover_function function;
    size_t number;
} sorted;

static int by_place(const void *a, const void *b) {
    const sorted *x = a, *y = b;
    int order = strcmp(x->function.path, y->function.path);
    if (!order)
        order = (x->function.line > y->function.line) - (x->function.line < y->function.line);
    if (!order)
        order = strcmp(x->function.name, y->function.name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_point(const void *a, const void *b) {
    const mark *x = a, *y = b;
    return (x->point > y->point) - (x->point < y->point);
}

// Are two functions copies of one?  Macros may make copies differ: then they stay two functions.
static bool same_shape(const tsl_coverage *c, const tsl_cover_function *a,
                       const tsl_cover_function *b) {
    if (a->line != b->line || a->n != b->n || strcmp(a->path, b->path) != 0 ||
        strcmp(a->name, b->name) != 0)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const tsl_cover_cell *x = &c->cells.data[a->first + i], *y = &c->cells.data[b->first + i];
        if (x->line != y->line || x->outcome != y->outcome || x->outcomes != y->outcomes)
            return false;
    }
    return true;
}

static void function_drop(tsl_cover_function *f) {
    tsl_free(f->name);
    tsl_free(f->file);
    tsl_free(f->path);
}

// The new place of a function's marks.
typedef struct moved {
    uint32_t function;
    size_t first, old_first;
} moved;

static void move_marks(tsl_coverage *c, const moved *to) {
    for (size_t i = 0; i < c->marks->all.len; i++) {
        mark *l = &c->marks->all.data[i];
        const moved *m = &to[l->function];
        l->function = m->function;
        if (l->cell != ENTRY)
            l->cell = (uint32_t)(l->cell - m->old_first + m->first);
    }
}

static void sort(tsl_coverage *c) {
    size_t n = c->functions.len, kept = 0;
    sorted *all = tsl_alloc_array(n + 1, sizeof *all);
    moved *to = tsl_alloc_array(n + 1, sizeof *to);
    for (size_t i = 0; i < n; i++)
        all[i] = (sorted){c->functions.data[i], i};
    qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0; i < n; i++) {
        tsl_cover_function *f = &all[i].function;
        size_t old_first = f->first;
        if (kept && same_shape(c, &c->functions.data[kept - 1], f))
            function_drop(f);
        else
            c->functions.data[kept++] = *f;
        to[all[i].number] =
            (moved){(uint32_t)kept - 1, c->functions.data[kept - 1].first, old_first};
    }
    c->functions.len = kept;
    move_marks(c, to);
    tsl_vec_sort(&c->marks->all, by_point);
    tsl_free(all);
    tsl_free(to);
}

tsl_coverage *tsl_coverage_new(const tsl_cover_tables *tables, const tsl_sites *sites) {
    tsl_coverage *c = tsl_alloc(sizeof *c);
    c->marks = tsl_alloc(sizeof *c->marks);
    reader r = {.coverage = c, .tables = tables, .sites = sites};
    read_tables(&r);
    sort(c);
    tsl_free(r.path);
    return c;
}

void tsl_coverage_free(tsl_coverage *c) {
    if (!c)
        return;
    for (size_t i = 0; i < c->functions.len; i++)
        function_drop(&c->functions.data[i]);
    tsl_vec_drop(&c->functions);
    tsl_vec_drop(&c->cells);
    tsl_vec_drop(&c->marks->all);
    tsl_free(c->marks);
    tsl_free(c);
}

// ---------------------------------------------------------------- what was reached

static size_t first_mark(const marks *l, uint32_t point) {
    size_t low = 0, high = l->all.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->all.data[middle].point < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reach(tsl_coverage *c, uint32_t point) {
    const marks *l = c->marks;
    for (size_t i = first_mark(l, point); i < l->all.len && l->all.data[i].point == point; i++)
        if (l->all.data[i].cell == ENTRY)
            c->functions.data[l->all.data[i].function].reached = true;
        else
            c->cells.data[l->all.data[i].cell].reached = true;
}

void tsl_coverage_update(tsl_coverage *c, const tsl_cover_tables *tables, size_t from, size_t to) {
    for (size_t i = from; i < to && i < tables->npoints; i++)
        reach(c, tables->reached[i]);
}

void tsl_coverage_clear(tsl_coverage *c) {
    for (size_t i = 0; i < c->functions.len; i++)
        c->functions.data[i].reached = false;
    for (size_t i = 0; i < c->cells.len; i++)
        c->cells.data[i].reached = false;
}

// ---------------------------------------------------------------- counting

tsl_cover_count tsl_coverage_of(const tsl_coverage *c, const tsl_cover_function *f) {
    tsl_cover_count n = {.functions = f->reached, .total_functions = 1};
    for (size_t i = 0; i < f->n; i++) {
        const tsl_cover_cell *cell = &c->cells.data[f->first + i];
        *(is_line(cell) ? &n.total_lines : &n.total_branches) += 1;
        *(is_line(cell) ? &n.lines : &n.branches) += cell->reached;
    }
    return n;
}

void tsl_coverage_branches(const tsl_coverage *c, size_t *reached, size_t *total) {
    *reached = *total = 0;
    for (size_t i = 0; i < c->functions.len; i++) {
        tsl_cover_count n = tsl_coverage_of(c, &c->functions.data[i]);
        *reached += n.branches;
        *total += n.total_branches;
    }
}

static int by_line(const void *a, const void *b) {
    const tsl_cover_cell *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

void tsl_coverage_lines(const tsl_coverage *c, size_t from, size_t to, tsl_cover_cells *out) {
    size_t first = out->len, kept = first;
    for (size_t f = from; f < to; f++)
        for (size_t i = 0; i < c->functions.data[f].n; i++) {
            const tsl_cover_cell *cell = &c->cells.data[c->functions.data[f].first + i];
            if (is_line(cell))
                tsl_vec_push(out, *cell);
        }
    if (out->len > first)
        qsort(out->data + first, out->len - first, sizeof *out->data, by_line);
    for (size_t i = first; i < out->len; i++)
        if (kept > first && out->data[kept - 1].line == out->data[i].line)
            out->data[kept - 1].reached |= out->data[i].reached;
        else
            out->data[kept++] = out->data[i];
    out->len = kept;
}

size_t tsl_coverage_file_end(const tsl_coverage *c, size_t from) {
    size_t to = from + 1;
    while (to < c->functions.len &&
           strcmp(c->functions.data[to].path, c->functions.data[from].path) == 0)
        to++;
    return to;
}

tsl_cover_count tsl_coverage_count(const tsl_coverage *c) {
    tsl_cover_count all = {.total_functions = c->functions.len};
    tsl_cover_cells lines = {0};
    tsl_coverage_branches(c, &all.branches, &all.total_branches);
    for (size_t from = 0, to; from < c->functions.len; from = to) {
        to = tsl_coverage_file_end(c, from);
        tsl_coverage_lines(c, from, to, &lines);
    }
    all.total_lines = lines.len;
    for (size_t i = 0; i < lines.len; i++)
        all.lines += lines.data[i].reached;
    for (size_t i = 0; i < c->functions.len; i++)
        all.functions += c->functions.data[i].reached;
    tsl_vec_drop(&lines);
    return all;
}
