// Reads lines of records; see records.h.
#include "report/records.h"

#include <string.h>

#include "base/num.h"

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

const char *tsl_records_begin(tsl_records *r, const char *head, const char *family) {
    const char *at = tsl_records_next(r) ? tsl_records_value(r, head) : NULL;
    if (!at)
        tsl_fail(r->err, r->number && tsl_records_value(r, family) ? TSL_EVERSION : TSL_EINPUT,
                 "%s was not written by this version of `teasel test`; run that again", r->name);
    return at;
}

bool tsl_records_number(const tsl_records *r, const char **at, char stop, uint64_t max,
                        uint64_t *out) {
    const char *end = r->line + r->len, *to = *at;
    while (to < end && *to != stop)
        to++;
    if ((stop ? to == end : to != end) || tsl_num_u64(*at, (size_t)(to - *at), out) != TSL_NUM_OK ||
        *out > max)
        return false;
    *at = to < end ? to + 1 : end;
    return true;
}

const char *tsl_records_value(const tsl_records *r, const char *key) {
    size_t n = strlen(key);
    return r->len >= n && memcmp(r->line, key, n) == 0 ? r->line + n : NULL;
}
