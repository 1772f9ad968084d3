// Text files of records, one `KEY:value` per line, which `teasel test` keeps for `teasel report`.
//
// The files are not trusted: a malformed file is refused with the number of the wrong line.
#ifndef TSL_REPORT_RECORDS_H
#define TSL_REPORT_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef struct tsl_records {
    const char *name;     // of the file
    const char *at, *end; // the text that is still to be read
    size_t number;        // of the line just read, from 1
    const char *line;     // the line just read, without its newline
    size_t len;
    tsl_err *err;
} tsl_records;

bool tsl_records_next(tsl_records *records);
// What follows `key` in the line just read, or NULL.
const char *tsl_records_value(const tsl_records *records, const char *key);
// Reads a number up to `stop`, or up to the end of the line if `stop` is 0, and moves past it.
bool tsl_records_number(const tsl_records *records, const char **at, char stop, uint64_t max,
                        uint64_t *out);
// Reads the first line.  Returns what follows `head`, which ends in the version; `family` is what
// the heads of all versions begin with.  NULL: it is another version, or another file.
const char *tsl_records_begin(tsl_records *records, const char *head, const char *family);
bool tsl_records_refuse(const tsl_records *records, const char *why); // returns false

#endif
