// Which values of environment variables does a call of libc read?
#include <ctype.h>
#include <glob.h>
#include <string.h>

#include "../state.h"
#include "ranges.h"

// Functions that always look at the same variable.
static const struct {
    enum tsl_libc_row row;
    const char *name;
} fixed[] = {
    {TSL_ROW_tempnam, "TMPDIR"},           {TSL_ROW_getdate, "DATEMSK"},
    {TSL_ROW_get_current_dir_name, "PWD"}, {TSL_ROW_fmtmsg, "MSGVERB"},
    {TSL_ROW_catopen, "NLSPATH"},
};

// Some calls look for the time zone each time, others only if no call has done so before.
static bool looks_for_zone(const tsl_libc *row) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        if (row->uses[i].state == TSL_STATE_TIMEZONE)
            return row->uses[i].role != TSL_ROLE_READ || !RUN->libc.kept.zone_known;
    return false;
}

// A locale with an empty name is the one that the environment names.
static const char *value_for_locale(unsigned n) {
    static const char *const names[] = {
        "LANG",         "LC_CTYPE",       "LC_NUMERIC",       "LC_TIME", "LC_COLLATE",
        "LC_MONETARY",  "LC_MESSAGES",    "LC_PAPER",         "LC_NAME", "LC_ADDRESS",
        "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"};
    const char *all = getenv("LC_ALL");
    if (all && n-- == 0)
        return all;
    for (unsigned i = 0; (!all || !*all) && i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && n-- == 0)
            return value;
    }
    return NULL;
}

static const char *value_of(const char *name, size_t length) {
    char copy[256];
    if (length == 0 || length >= sizeof copy)
        return NULL;
    memcpy(copy, name, length);
    copy[length] = 0;
    return getenv(copy);
}

// The value of the nth variable in the text that a shell would expand: $NAME, ${NAME} and ~.
static const char *value_in_words(const char *words, unsigned n) {
    for (const char *p = words; (p = strpbrk(p, "$~")); p++) {
        const char *name = p + 1 + (p[1] == '{' || p[1] == '#'), *end = name;
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
        const char *value = *p == '~' ? getenv("HOME") : value_of(name, (size_t)(end - name));
        if (value && n-- == 0)
            return value;
    }
    return NULL;
}

static const char *nth(const char *value, unsigned n) { return n == 0 ? value : NULL; }

const char *tslrt_environment_value(const tsl_libc *row, const uint64_t *args, unsigned n) {
    switch ((enum tsl_libc_row)(row - tsl_libc_rows)) {
    case TSL_ROW_setlocale:
    case TSL_ROW_newlocale:
        return args[1] && !*(const char *)args[1] ? value_for_locale(n) : NULL;
    case TSL_ROW_wordexp:
        return value_in_words((const char *)args[0], n);
    case TSL_ROW_glob:
        return (args[1] & (GLOB_TILDE | GLOB_TILDE_CHECK)) && *(const char *)args[0] == '~'
                   ? nth(getenv("HOME"), n)
                   : NULL;
    default:
        break;
    }
    const char *zone = looks_for_zone(row) ? getenv("TZ") : NULL;
    if (zone && n-- == 0)
        return zone;
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (row == &tsl_libc_rows[fixed[i].row])
            return nth(getenv(fixed[i].name), n);
    return NULL;
}
