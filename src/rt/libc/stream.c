// Reading through stdio, for instrumented code: libc reads, and inputs get labels by position.
//
// The call site has told the step and what it stores (abi/libc.def).  Where a line ends is an input
// branch for each of its characters.
#include <fcntl.h>
#include <string.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "follow.h"
#include "stream.h"

// Every call begins with this: arguments that depend on inputs are pinned, except those of `keep`,
// and libc's memory may change.
static uint32_t enter(const void *self, unsigned keep, follow_args *args) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    *args = tslrt_follow_args(self, keep, site);
    return site;
}

#define ENTER(function, keep)                                                                      \
    const void *self = (const void *)(function);                                                   \
    follow_args args;                                                                              \
    uint32_t site = enter(self, keep, &args);                                                      \
    (void)site

static tslrt_source position(FILE *file) {
    off_t at = ftello(file);
    if (at < 0)
        return (tslrt_source){.input = -1};
    return (tslrt_source){tslrt_outside_of(fileno(file)), (uint64_t)at};
}

tslrt_source tslrt_stream_source(FILE *file) {
    int kept = errno;
    tslrt_source from = {.input = tslrt_outside_of(fileno(file))};
    if (from.input >= 0)
        from = position(file);
    errno = kept;
    return from;
}

size_t tslrt_stream_read(FILE *file, tslrt_source from) {
    off_t now = ftello(file);
    return now > (off_t)from.at ? (size_t)now - (size_t)from.at : 0;
}

// ---------------------------------------------------------------- which file it is

// A file is known by its name, which is the same in every run, unlike its inode.  A file that has
// no name is known by its folder.
static uint64_t object_of_file(int fd) {
    char link[32], name[1024];
    if (fd < 0 || tslrt->hidden.gives_names)
        return fd < 0 ? 0 : TSL_OBJECT_FILE;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long n = tslrt_sys4(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
    if (n <= 0 || *name != '/') // a pipe or socket
        return 0;
    name[n] = 0;
    char *gone = strstr(name, " (deleted)"), *last = strrchr(name, '/');
    if (gone)
        *gone = 0;
    if (gone && last && last[1] == '#')
        last[1] = 0;
    uint64_t hash = 14695981039346656037u;
    for (const char *p = name; *p; p++)
        hash = (hash ^ (uint8_t)*p) * 1099511628211u;
    return TSL_OBJECT_FILE + ((hash ^ hash >> 15 ^ hash >> 30 ^ hash >> 45) & 0x7fff);
}

static unsigned place_of(const FILE *file) { // heaps of threads differ in high bits only
    return (unsigned)((uintptr_t)file * 0x9e3779b97f4a7c15u >> 60) % TSLRT_STREAM_NAMES;
}

uint64_t tslrt_stream_object(FILE *file) {
    unsigned i = place_of(file);
    if (RUN->libc.streams[i].file != file ||
        tslrt->hidden.redirects) { // it may be on another file now
        int kept = errno;
        RUN->libc.streams[i].file = file;
        RUN->libc.streams[i].object = object_of_file(fileno(file));
        errno = kept;
    }
    return RUN->libc.streams[i].object;
}

void tslrt_stream_forget(const FILE *file) {
    unsigned i = place_of(file);
    if (RUN->libc.streams[i].file == file)
        RUN->libc.streams[i].file = NULL;
}

// ---------------------------------------------------------------- reading

static void has_read(tslrt_source from, const void *to, size_t n, uint32_t site) {
    tslrt_heap_check_also((uintptr_t)to, n, site, TSL_EV_WRITE);
    tslrt_outside_read(from, to, n);
}

// ---------------------------------------------------------------- characters

static int get(const void *self, FILE *file) {
    tslrt_source from = tslrt_stream_source(file);
    int c = fgetc(file);
    tslrt_follow_character(self, c == EOF ? 0 : tslrt_outside_label(from, (uint8_t)c));
    return c;
}

API int __teasel_fgetc(FILE *file) {
    ENTER(__teasel_fgetc, 0);
    return get(self, file);
}

API int __teasel_getchar(void) {
    ENTER(__teasel_getchar, 0);
    return get(self, stdin);
}

// A character that is put back where it came from will be read with its old label.  Another
// character with the same value will be mistaken for that, so both are pinned to the value.
API int __teasel_ungetc(int c, FILE *file) {
    ENTER(__teasel_ungetc, 1);
    tslrt_source from = tslrt_stream_source(file);
    uint32_t was = from.at-- > 0 ? tslrt_outside_label(from, (uint8_t)c) : 0;
    if (!tslrt_follow_is_character(args.label[0], was)) {
        tslrt_follow_pin(args.label[0], site);
        tslrt_follow_pin(was, site);
    }
    return ungetc(c, file);
}

// ---------------------------------------------------------------- blocks and lines

API size_t __teasel_fread(void *to, size_t size, size_t n, FILE *file) {
    ENTER(__teasel_fread, 0);
    tslrt_source from = tslrt_stream_source(file);
    size_t got = fread(to, size, n, file);
    // The last element may be there in part.
    has_read(from, to, from.input >= 0 ? tslrt_stream_read(file, from) : got * size, site);
    return got;
}

static void has_read_line(tslrt_source from, FILE *file, const char *line, size_t n, char end,
                          uint32_t site) {
    if (from.input >= 0)
        n = tslrt_stream_read(file, from); // the line may contain zeros
    has_read(from, line, n, site);
    tslrt_symbols_fill((char *)line + n, 0, 1);
    tslrt_follow_line(line, n, end, site);
}

API char *__teasel_fgets(char *to, int n, FILE *file) {
    ENTER(__teasel_fgets, 0);
    tslrt_source from = tslrt_stream_source(file);
    char *got = fgets(to, n, file);
    if (got && n > 0)
        has_read_line(from, file, to, strlen(to), '\n', site);
    return got;
}

static ssize_t get_line(char **line, size_t *room, int end, FILE *file, uint32_t site) {
    tslrt_source from = tslrt_stream_source(file);
    TSL_HOT->call_site = site;
    ssize_t n = getdelim(line, room, end, file);
    if (n > 0)
        has_read_line(from, file, *line, (size_t)n, (char)end, site);
    return n;
}

API ssize_t __teasel_getline(char **line, size_t *room, FILE *file) {
    ENTER(__teasel_getline, 0);
    return get_line(line, room, '\n', file, site);
}

API ssize_t __teasel_getdelim(char **line, size_t *room, int end, FILE *file) {
    ENTER(__teasel_getdelim, 0);
    return get_line(line, room, end, file, site);
}
