// Reads lines of source files; see source.h.
#include "report/source.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "report/names.h"

enum { WIDTH = 100 };
#define MAX_SOURCE ((size_t)16 << 20)

bool tsl_source_line(const char *file, unsigned line, tsl_buf *out) {
    struct stat st;
    char *bytes = NULL;
    size_t len = 0;
    // The name comes from the program: it may be a pipe that never answers.
    if (line == 0 || stat(file, &st) != 0 || !S_ISREG(st.st_mode) ||
        !tsl_file_read_max(file, MAX_SOURCE, &bytes, &len, NULL))
        return false;
    const char *at = bytes, *end = bytes + len;
    while (--line && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    bool found = at < end;
    if (found) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t width = (size_t)((newline ? newline : end) - at);
        tsl_names_clean(at, width < WIDTH ? width : WIDTH, out);
    }
    tsl_free(bytes);
    return found;
}
