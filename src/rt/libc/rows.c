// Questions about whole rows of the table of libc (abi/libc.def).
#include <string.h>

#include "ranges.h"

bool tsl_libc_uses(const tsl_libc *row, unsigned state) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        if (row->uses[i].state == state)
            return true;
    return false;
}

// Which file a name leads to depends on the working directory and the user of the process; the mode
// of a new file depends on the process's umask.
bool tsl_libc_names_file(const tsl_libc *row) {
    bool files = false, text = false;
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        files |= row->uses[i].state == TSL_STATE_FILES || row->uses[i].state == TSL_USE_OPENS ||
                 row->uses[i].state == TSL_USE_OPENS_AS || row->uses[i].state == TSL_STATE_QUEUES;
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++)
        text |= row->ranges[i].form == TSL_LIBC_TEXT && row->ranges[i].arg != TSL_LIBC_RESULT;
    return files && text;
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
