// What rows of the table of libc (abi/libc.def) say together.
#include <string.h>

#include "ranges.h"

bool tsl_libc_uses(const tsl_libc *row, unsigned state) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        if (row->uses[i].state == state)
            return true;
    return false;
}

// Where a name leads depends on the folder the process is in, and on whose process it is; what is made, on its mask.
bool tsl_libc_names_file(const tsl_libc *row) {
    bool files = false, text = false;
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        files |= row->uses[i].state == TSL_STATE_FILES || row->uses[i].state == TSL_USE_OPENS ||
                 row->uses[i].state == TSL_USE_OPENS_AS || row->uses[i].state == TSL_STATE_QUEUES;
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++)
        text |= row->ranges[i].form == TSL_LIBC_TEXT && row->ranges[i].arg != TSL_LIBC_RESULT;
    return files && text;
}

bool tsl_libc_closes_some(const char *name) {
    static const char *const names[] = {"freopen", "fcloseall", "closefrom", "close_range",
                                        "pclose",  "closedir",  "endmntent"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

// A program with such a call sees in which order descriptors were handed out: what number one has, or that none was left.
bool tsl_libc_tells_numbers(const tsl_libc *row) {
    static const char *const names[] = {"fileno", "dirfd", "setrlimit", "prlimit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], row->name) == 0)
            return true;
    return false;
}

// With such a call a file may have two names, or another one than a stream was opened under; or a stream is closed that is not told.
bool tsl_libc_gives_names(const tsl_libc *row) {
    static const char *const names[] = {"link",      "linkat",    "rename", "renameat",
                                        "renameat2", "fcloseall", "pclose", "endmntent"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], row->name) == 0)
            return true;
    return false;
}

// strptime reads seconds since the epoch as local time.
bool tsl_libc_reads_seconds(const char *format) {
    for (const char *p = format; p && (p = strchr(p, '%')); p++) {
        p += 1 + strspn(p + 1, "_-+^#0123456789EO");
        if (*p == 's')
            return true;
        if (!*p)
            return false;
    }
    return false;
}
