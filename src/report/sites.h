// Which place in the source does the number of a site mean?
//
// The site table was written by the program under test, so it is not trusted: every index and every
// string is checked when it is looked up.
#ifndef TSL_REPORT_SITES_H
#define TSL_REPORT_SITES_H

#include "trace/trace.h"

// Borrowed: the table must live as long as anything made from it.
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

// Returns false and an empty place for site 0 and for numbers that are not in the table.
bool tsl_sites_get(const tsl_sites *sites, uint32_t id, tsl_where *out);

// A string of the table; "" if it is malformed or has control characters.
const char *tsl_sites_string(const tsl_sites *sites, uint32_t offset);

// The name of a file as the user wrote it, for the full path from debug information; NULL if the
// file has no instrumented place.
const char *tsl_sites_file(const tsl_sites *sites, const char *path);

#endif
