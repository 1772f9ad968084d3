// Text files of records, a `KEY:value` per line, as teasel test keeps them for teasel report.
//
// They are outside data: what is malformed is refused with the line that is wrong.
#ifndef TSL_REPORT_RECORDS_H
#define TSL_REPORT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

typedef struct tsl_records {
    const char *name;     // of the file
    const char *at, *end; // what is left
    size_t number;        // of the line just read
    const char *line;     // without its end
    size_t len;
    tsl_err *err;
} tsl_records;

bool tsl_records_next(tsl_records *records);
// What follows `key` in the line just read, or NULL.
const char *tsl_records_value(const tsl_records *records, const char *key);
bool tsl_records_refuse(const tsl_records *records, const char *why); // false

#endif
