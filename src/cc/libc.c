// Looks up functions of libc; see libc.h.
#include "cc/libc.h"

#include <string.h>

#include "abi/libc.h"
#include "abi/wire.h"

// The columns of a row that can be read without the types it mentions.
typedef struct row {
    const char *name;
    unsigned by;
    const char *flags, *uses, *ranges; // the text of the columns
} row;

static const row rows[] = {
#define TSL_LIBC(name, by, class_, ok, flags, uses, ranges)                                        \
    {#name, TSL_LIBC_##by, #flags, #uses, #ranges},
#include "abi/libc.def"
#undef TSL_LIBC
};

static const row *find(const char *name, size_t n) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strncmp(rows[i].name, name, n) && !rows[i].name[n])
            return &rows[i];
    return NULL;
}

static const char *behind(const char *name, const char *prefix) {
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) ? name : name + n;
}

static bool ends(const char *name, size_t n, const char *suffix) {
    size_t less = strlen(suffix);
    return n > less && !strcmp(name + n - less, suffix);
}

// Knows the same variants of a name as rt/libc/table.c.
static const row *find_any(const char *name) {
    if (!strcmp(name, "__teasel_file_access"))
        name = "access";
    name = behind(behind(behind(name, "__teasel_"), "__isoc99_"), "__isoc23_");
    size_t n = strlen(name);
    const row *r = find(name, n);
    if (!r && ends(name, n, "64"))
        r = find(name, n - 2);
    if (!r && ends(name, n, "_unlocked"))
        r = find(name, n - strlen("_unlocked"));
    return r;
}

static bool is_empty(const char *list) { return !strcmp(list, "(_)"); }

// Does a call of the function weaken the claim of a campaign, whatever it touches?
static bool is_uncontrolled(const char *name) {
    static const char *const names[] = {
#define TSL_UNCONTROLLED(called, note) called,
#include "abi/externs.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

// Is a hook needed after the call, because the function stores something, has finished with a
// stream, or got a result from a function of the program?
static bool tells_after(const row *r) {
    return strchr(r->ranges, 'W') || strstr(r->uses, "IN(") || strstr(r->uses, "OUT(") ||
           strstr(r->uses, "STREAM(") || strstr(r->flags, "CALLS_BACK");
}

unsigned tsl_libc_tells(const char *name) {
    const row *r = find_any(name);
    if (!r)
        return TSL_TELLS_BEFORE;
    bool calls = strstr(r->flags, "CANCEL") || strstr(r->flags, "CALLS_BACK");
    if (r->by == TSL_LIBC_OWN || (is_empty(r->uses) && is_empty(r->ranges) && !calls))
        return is_uncontrolled(name) || strstr(r->flags, "VARIES") ? TSL_TELLS_BEFORE : 0;
    return TSL_TELLS_BEFORE | (tells_after(r) ? TSL_TELLS_AFTER : 0u);
}
