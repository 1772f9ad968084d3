// The site table: which place of the source a number in an event means.
//
// It was written by the program under test, so nothing in it is believed: every
// index and every string is checked when it is looked up.
#ifndef TSL_REPORT_SITES_H
#define TSL_REPORT_SITES_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/trace.h"

// Borrowed, for as long as anything made from it is in use.
typedef struct tsl_sites {
    const tsl_site *sites; // entry 0 is "no site"
    size_t nsites;         // entry 0 counts
    const char *strings;
    size_t nstrings; // bytes
} tsl_sites;

typedef struct tsl_where {
    const char *file, *func; // "" when unknown
    uint32_t line, column;   // 0 when unknown
} tsl_where;

// False, and an empty answer, for site 0 and whatever is not in the table.
bool tsl_sites_get(const tsl_sites *sites, uint32_t id, tsl_where *out);

// A string of the table; "" for what is none, or would upset a terminal.
const char *tsl_sites_string(const tsl_sites *sites, uint32_t offset);

// A file name as the user wrote it, for one that debug information gives with its
// whole path; NULL if no instrumented place is in that file.
const char *tsl_sites_file(const tsl_sites *sites, const char *path);

#endif
