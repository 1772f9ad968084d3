// Which parts of the program did the runs reach?
//
// A coverage is made once, of the program's tables, which are checked on the way.  It is updated
// with the points that runs have reached.  A function that is in several objects (because a header
// defines it) is one function, reached when any of its copies is.
//
// Counted are functions, lines with code, and outcomes of branches: reached or not, not how often.
#ifndef TSL_REPORT_COVER_H
#define TSL_REPORT_COVER_H

#include "report/sites.h"
#include "trace/cover.h"

// A line, or an outcome of a branch.
typedef struct tsl_cover_cell {
    uint32_t line;
    uint16_t column;
    uint16_t outcome, outcomes; // as in tsl_cover_place
    bool reached;
} tsl_cover_cell;

typedef struct tsl_cover_count {
    size_t functions, total_functions;
    size_t lines, total_lines;
    size_t branches, total_branches; // outcomes
} tsl_cover_count;

typedef struct tsl_cover_function {
    char *name;
    char *file; // as the user wrote it
    char *path; // absolute
    uint32_t line;
    bool reached;
    size_t first, n; // cells: its lines, each once and in order, then its branches
} tsl_cover_function;

typedef struct tsl_coverage {
    TSL_VEC(tsl_cover_function) functions; // sorted by path, line and name
    TSL_VEC(tsl_cover_cell) cells;
    struct tsl_cover_marks *marks; // what to mark when a point is reached
} tsl_coverage;

tsl_coverage *tsl_coverage_new(const tsl_cover_tables *tables, const tsl_sites *sites);
void tsl_coverage_free(tsl_coverage *coverage);

// Entries from..to of the log have been reached.
void tsl_coverage_update(tsl_coverage *coverage, const tsl_cover_tables *tables, size_t from,
                         size_t to);

// Marks everything as not reached.
void tsl_coverage_clear(tsl_coverage *coverage);

// Counts outcomes of branches only, for a status line; everything, with lines that several
// functions share counted once; and everything of one function.
void tsl_coverage_branches(const tsl_coverage *coverage, size_t *reached, size_t *total);
tsl_cover_count tsl_coverage_count(const tsl_coverage *coverage);
tsl_cover_count tsl_coverage_of(const tsl_coverage *coverage, const tsl_cover_function *function);

// Adds the lines of functions from..to-1 to `out`, each once and in order.
typedef TSL_VEC(tsl_cover_cell) tsl_cover_cells;
void tsl_coverage_lines(const tsl_coverage *coverage, size_t from, size_t to, tsl_cover_cells *out);

// The first function after `from` that is in another file.
size_t tsl_coverage_file_end(const tsl_coverage *coverage, size_t from);

#endif
