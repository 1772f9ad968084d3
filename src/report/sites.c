// Reads the site table; see sites.h.
#include "report/sites.h"

#include <string.h>

// Names are printed on terminals, so one with control characters is not accepted.
const char *tsl_sites_string(const tsl_sites *sites, uint32_t offset) {
    for (size_t i = offset; i < sites->nstrings; i++) {
        unsigned char c = (unsigned char)sites->strings[i];
        if (c == 0)
            return sites->strings + offset;
        if (c < 0x20 || c == 0x7f)
            break;
    }
    return "";
}

bool tsl_sites_get(const tsl_sites *sites, uint32_t id, tsl_where *out) {
    *out = (tsl_where){"", "", 0, 0};
    if (!sites || id == 0 || id >= sites->nsites)
        return false;
    const tsl_site *site = &sites->sites[id];
    out->file = tsl_sites_string(sites, site->file);
    out->func = tsl_sites_string(sites, site->func);
    out->line = site->line;
    out->column = site->column;
    return out->file[0] != 0;
}

// Is `written` ("dir/prog.c", "./dir/prog.c") the end of `path` ("/home/x/dir/prog.c")?
static bool same_file(const char *path, const char *written) {
    while (written[0] == '.' && written[1] == '/')
        written += 2;
    size_t have = strlen(path), want = strlen(written);
    if (want == 0 || want > have || strcmp(path + have - want, written) != 0)
        return false;
    return want == have || path[have - want - 1] == '/';
}

const char *tsl_sites_file(const tsl_sites *sites, const char *path) {
    uint32_t last = UINT32_MAX; // neighbours mostly share their file
    for (size_t i = 1; sites && i < sites->nsites; i++) {
        if (sites->sites[i].file == last)
            continue;
        last = sites->sites[i].file;
        const char *written = tsl_sites_string(sites, last);
        if (same_file(path, written))
            return written;
    }
    return NULL;
}
