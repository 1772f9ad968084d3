// Inputs that a program reads without asking for them: standard input, files, arguments,
// variables of the environment.
//
// The tool says before main which ones there are.  Their values come with each Plan, like those of
// all other inputs, and each is an object of the run before main begins.  What a program reads
// through a descriptor is in a file in memory, so that code that is not instrumented reads the same
// bytes; bytes that instrumented code reads get labels by position.  Descriptors are recognised by
// their file, so they may be duplicated, or opened again through /dev/stdin.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../print.h"
#include "../start.h"
#include "../state.h"
#include "../sys.h"
#include "outside.h"
#include "symbol.h"

typedef struct outside {
    tsl_outside what;
    int fd; // of the file in memory, for writing; -1 if it has none
    uint64_t device, inode;
    uint32_t object; // in this run; 0 if it is not followed
    char *bytes;     // its value in this run
} outside;

typedef struct outside_state {
    uint32_t n, nfirst;
    uint32_t stdin_number; // the number of standard input, or 0 if that is no input
    char *room;            // for bytes
    outside in[TSL_MAX_OUTSIDE];
    uint8_t first[TSL_MAX_INPUT];
} outside_state;

#define OUT ((outside_state *)TSLRT_OUTSIDE_AT)

_Static_assert(sizeof(outside_state) + TSL_MAX_OUTSIDE * TSL_MAX_INPUT <= TSLRT_OUTSIDE_SIZE,
               "they fit");

// ---------------------------------------------------------------- before main

void tslrt_outside_add(const tsl_outside *what) {
    if (OUT->n == TSL_MAX_OUTSIDE || what->kind >= TSL_OUTSIDE_KINDS || what->size == 0 ||
        what->size > TSL_MAX_INPUT)
        tslrt_die("an input from outside that makes no sense: kind %u, %u bytes", what->kind,
                  what->size);
    if (!OUT->n)
        OUT->room = (char *)(OUT + 1);
    outside *o = &OUT->in[OUT->n++];
    *o = (outside){.what = *what, .fd = -1, .bytes = OUT->room};
    o->what.name[sizeof o->what.name - 1] = 0;
    OUT->room += (what->size + 7u) & ~7u;
}

void tslrt_outside_first(const void *bytes, size_t n) {
    OUT->nfirst = (uint32_t)(n < sizeof OUT->first ? n : sizeof OUT->first);
    memcpy(OUT->first, bytes, OUT->nfirst);
}

void tslrt_outside_from_wire(const tsl_wire *wire) {
    for (uint32_t i = 0; i < wire->noutside && i < TSL_MAX_OUTSIDE; i++)
        tslrt_outside_add(&wire->outside[i]);
    tslrt_outside_first(wire->first, wire->nfirst);
}

// Makes a file whose descriptor is out of the way of the program's own.
static void make_file(outside *o) {
    enum { FIRST = 202 }; // as in exec/spawn.c; tslrt_close_files keeps descriptors up to last_fd
    struct stat st;
    long fd = tslrt_sys2(SYS_memfd_create, "teasel-input", MFD_CLOEXEC);
    long high = fd < 0 ? fd : tslrt_sys3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FIRST);
    if (high < 0 || tslrt_sys2(SYS_fstat, high, &st) < 0 ||
        tslrt_sys2(SYS_ftruncate, high, o->what.size) < 0)
        tslrt_die("can't make a file in memory for an input");
    tslrt_sys1(SYS_close, fd);
    o->fd = (int)high;
    o->device = st.st_dev;
    o->inode = st.st_ino;
    if (o->fd > tslrt->server.last_fd)
        tslrt->server.last_fd = o->fd;
}

static const char *path_of(const outside *o, char room[TSLRT_OUTSIDE_PATH]) {
    tslrt_format(room, TSLRT_OUTSIDE_PATH, "/proc/self/fd/%d", o->fd);
    return room;
}

// Opens the file at descriptor `fd`, for reading only, with a position of its own.
static void put_at(const outside *o, int fd) {
    char room[TSLRT_OUTSIDE_PATH];
    long got = tslrt_sys4(SYS_openat, AT_FDCWD, path_of(o, room), O_RDONLY | O_CLOEXEC, 0);
    if (got < 0 || tslrt_sys3(SYS_dup3, got, fd, 0) < 0)
        tslrt_die("can't open a file in memory for an input");
    tslrt_sys1(SYS_close, got);
}

void tslrt_outside_open(void) {
    for (uint32_t i = 0; i < OUT->n; i++) {
        outside *o = &OUT->in[i];
        if (o->what.kind == TSL_OUTSIDE_STDIN || o->what.kind == TSL_OUTSIDE_FILE)
            make_file(o);
        if (o->what.kind != TSL_OUTSIDE_STDIN)
            continue;
        OUT->stdin_number = TSL_OUTSIDE_INDEX + i;
        put_at(o, 0);
        if (tslrt->kind == RT_SERVED) // tslrt_output_reset puts descriptor 0 back from this one
            tslrt_sys3(SYS_dup3, 0, tslrt->wire->stdin_fd, 0);
    }
}

static const char *bare(const char *path) {
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    return path;
}

const char *tslrt_outside_path(const char *path, char room[TSLRT_OUTSIDE_PATH]) {
    for (uint32_t i = 0; path && i < OUT->n; i++)
        if (OUT->in[i].what.kind == TSL_OUTSIDE_FILE &&
            strcmp(bare(path), bare(OUT->in[i].what.name)) == 0)
            return path_of(&OUT->in[i], room);
    return path;
}

// ---------------------------------------------------------------- values

// If standard input is an input, it gets all first values; else the first thread's inputs get them,
// in the order in which it asks.
size_t outside_first(const input_spec *in, const void **bytes) {
    uint32_t at = RUN->inputs.first_used, left = OUT->nfirst - at;
    *bytes = OUT->first;
    if (in->thread != 0)
        return 0;
    if (OUT->stdin_number && in->index != OUT->stdin_number)
        return 0;
    uint32_t n = left < in->size ? left : in->size;
    *bytes = OUT->first + at;
    RUN->inputs.first_used += n;
    return n;
}

static const char *name_of(const outside *o, char *to, size_t room) {
    const char *const forms[TSL_OUTSIDE_KINDS] = {[TSL_OUTSIDE_STDIN] = "stdin",
                                                  [TSL_OUTSIDE_FILE] = "file:",
                                                  [TSL_OUTSIDE_ARG] = "argv[",
                                                  [TSL_OUTSIDE_ENV] = "env:"};
    if (o->what.kind == TSL_OUTSIDE_ARG)
        tslrt_format(to, room, "%s%u]", forms[o->what.kind], o->what.place);
    else
        tslrt_format(to, room, "%s%s", forms[o->what.kind], o->what.name);
    return to;
}

// ---------------------------------------------------------------- each run

static void begin_one(outside *o, uint32_t number) {
    char name[256];
    bool text = o->what.kind == TSL_OUTSIDE_ARG || o->what.kind == TSL_OUTSIDE_ENV;
    uint32_t last;
    input_spec in = {.name = name_of(o, name, sizeof name),
                     .size = o->what.size,
                     .element = 1,
                     .kind = text ? TSL_INPUT_TEXT : TSL_INPUT_BYTES,
                     .index = TSL_OUTSIDE_INDEX + number};
    input_fill(&in, o->bytes);
    o->object = input_label(&in, o->bytes, (uintptr_t)o->bytes, &last);
    if (o->fd >= 0)
        tslrt_sys4(SYS_pwrite64, o->fd, o->bytes, o->what.size, 0);
}

void tslrt_outside_begin(void) {
    for (uint32_t i = 0; i < OUT->n; i++)
        begin_one(&OUT->in[i], i);
    if (!OUT->n)
        return;
    RUN->trace.flags |= TSL_TRACE_INPUTS;
    if (OUT->stdin_number)
        tslrt_sys3(SYS_lseek, 0, 0, SEEK_SET);
}

const tsl_outside *tslrt_outside_at(unsigned number) {
    return number < OUT->n ? &OUT->in[number].what : NULL;
}

void tslrt_outside_put(unsigned number, char *to) {
    const outside *o = &OUT->in[number];
    memcpy(to, o->bytes, o->what.size);
    tslrt_outside_read((tslrt_source){.input = (int)number}, to, o->what.size);
}

// ---------------------------------------------------------------- what is read

static uint32_t label_of(const outside *o, uint64_t at, uint8_t actual) {
    // The program may have put another byte there (ungetc).
    if (!SYM->nodes || !o->object || at >= o->what.size || (uint8_t)o->bytes[at] != actual)
        return 0;
    return node_input(o->object, (uint32_t)at, 8, actual);
}

int tslrt_outside_of(int fd) {
    struct stat st;
    if (!OUT->n || fd < 0 || tslrt_sys2(SYS_fstat, fd, &st) < 0)
        return -1;
    for (uint32_t i = 0; i < OUT->n; i++)
        if (OUT->in[i].fd >= 0 && OUT->in[i].inode == st.st_ino && OUT->in[i].device == st.st_dev)
            return (int)i;
    return -1;
}

uint32_t tslrt_outside_label(tslrt_source from, uint8_t actual) {
    if (from.input >= 0)
        return label_of(&OUT->in[from.input], from.at, actual);
    tslrt_symbols_back();
    return 0;
}

void tslrt_outside_read(tslrt_source from, const void *to, size_t n) {
    const uint8_t *bytes = to;
    if (!SYM->nodes)
        return;
    if (from.input < 0) {
        shadow_clear((uintptr_t)to, n);
        tslrt_symbols_back();
        return;
    }
    for (size_t i = 0; i < n; i++, from.at++) {
        uint32_t label = tslrt_outside_label(from, bytes[i]);
        if (label)
            shadow_set((uintptr_t)&bytes[i], 1, label);
        else
            shadow_clear((uintptr_t)&bytes[i], 1);
    }
}

const char *tslrt_outside_text(tslrt_source from, const char **end) {
    const outside *o = &OUT->in[from.input];
    *end = o->bytes + o->what.size;
    return from.at < o->what.size ? o->bytes + from.at : *end;
}

// The part of the last page behind the end of the file is zero.
void tslrt_outside_mapped(int fd, uint64_t offset, const void *at, size_t size) {
    tslrt_source from = {tslrt_outside_of(fd), offset};
    if (from.input < 0)
        tslrt_symbols_back();
    if (from.input < 0 || offset >= OUT->in[from.input].what.size)
        return;
    uint64_t left = OUT->in[from.input].what.size - offset;
    tslrt_outside_read(from, at, size < left ? size : left);
}
