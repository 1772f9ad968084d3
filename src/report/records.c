// Reads lines of records; see records.h.
#include "report/records.h"

#include <string.h>

bool tsl_records_refuse(const tsl_records *r, const char *why) {
    return tsl_fail(r->err, TSL_EINPUT,
                    "%s, line %zu: %s; the file is damaged, run `teasel test` again", r->name,
                    r->number, why);
}

bool tsl_records_next(tsl_records *r) {
    if (r->at == r->end)
        return false;
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->line = r->at;
    r->len = (size_t)((newline ? newline : r->end) - r->at);
    r->at = newline ? newline + 1 : r->end;
    r->number++;
    return true;
}

const char *tsl_records_value(const tsl_records *r, const char *key) {
    size_t n = strlen(key);
    return r->len >= n && memcmp(r->line, key, n) == 0 ? r->line + n : NULL;
}
