// Streams on pipes and sockets: fdopen, and fopen of a named pipe.
//
// libc would wait for data inside a call, where no other thread can run.  So such a stream is made
// with fopencookie: libc reads and writes by functions of the runtime, which are steps, at which
// other threads run.  libc still does the buffering.  A call holds its stream while it waits
// (lockfile.c).
//
// Two sorts of streams are handled otherwise: those of wide characters, which fopencookie does not
// support, and those that libc opens itself (popen, standard input).  Before they are read, a step
// waits until there is data; libc may then still have to wait for more.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../sync/objects.h"
#include "../sys.h"

typedef struct piped {
    pthread_mutex_t mutex; // on the heap, so that its address is the same in every run
    int fd;
} piped;

// ---------------------------------------------------------------- called by libc

static void give_up(void *unused) {
    (void)unused;
    if (SELF->io.stream)
        tslrt_file_leave(SELF->pend.site);
}

// In the middle of a call of libc: other threads may run now, and this one may be cancelled.
static void enter(void) {
    TSL_HOT->args_for = NULL; // libc does not take the labels of its arguments
    TSL_HOT->call_site = SELF->pend.site;
}

static ssize_t read_more(void *cookie, char *to, size_t n) {
    ssize_t got;
    enter();
    pthread_cleanup_push(give_up, NULL);
    got = read(((const piped *)cookie)->fd, to, n);
    pthread_cleanup_pop(0);
    return got;
}

static ssize_t write_all(void *cookie, const char *from, size_t n) {
    size_t at = 0;
    pthread_cleanup_push(give_up, NULL);
    for (ssize_t got = 0; at < n && got >= 0; at += got > 0 ? (size_t)got : 0) {
        enter();
        got = write(((const piped *)cookie)->fd, from + at, n - at);
    }
    pthread_cleanup_pop(0);
    return (ssize_t)at;
}

static int no_position(void *cookie, off64_t *position, int whence) {
    (void)cookie;
    (void)position;
    (void)whence;
    return tslrt_fail(ESPIPE);
}

static int close_it(void *cookie) {
    enter();
    return close(((const piped *)cookie)->fd);
}

// ---------------------------------------------------------------- opening

// Does the mode suit the descriptor?  fdopen checks the same.
static bool fits(int fd, const char *mode) {
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0), access = flags & O_ACCMODE;
    bool both = strchr(mode, '+') != NULL;
    bool reads = *mode == 'r' || both, writes = *mode != 'r' || both;
    bool known = *mode == 'r' || *mode == 'w' || *mode == 'a';
    return known && flags >= 0 && !(reads && access == O_WRONLY) && !(writes && access == O_RDONLY);
}

// Gives the stream a buffer of the size that libc would choose.  libc frees it.
static void give_buffer(FILE *file, const struct stat *st) {
    size_t size = st->st_blksize > 0 && st->st_blksize < BUFSIZ ? (size_t)st->st_blksize : BUFSIZ;
    char *buffer = malloc(size);
    if (!buffer)
        return;
    file->_IO_buf_base = buffer;
    file->_IO_buf_end = buffer + size;
}

// libc's own lock is switched off: a thread would wait in the kernel for one that is in a call.
static void guarded(FILE *file, bool has_lock) {
    __fsetlocking(file, FSETLOCKING_BYCALLER);
    if (!has_lock)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "more than %u streams on pipes, sockets or functions of the program: others "
                     "may be in the middle of a call on them",
                     TSLRT_MAX_FILES);
}

static FILE *open_as(piped *p, const char *mode, const struct stat *st) {
    static const cookie_io_functions_t functions = {read_more, write_all, no_position, close_it};
    FILE *file = TSLRT_REAL(fopencookie)(p, mode, functions);
    if (!file)
        return NULL;
    file->_fileno = p->fd;
    give_buffer(file, st);
    guarded(file, tslrt_file_piped(file, &p->mutex));
    return file;
}

static FILE *make(int fd, const char *mode, const struct stat *st) {
    piped *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (piped){.mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .fd = fd};
    FILE *file = open_as(p, mode, st);
    if (!file)
        free(p);
    return file;
}

void tslrt_piped_closed(const FILE *file) { free(tslrt_file_closed(file)); }

static FILE *open_pipe(int fd, const char *mode) {
    struct stat st;
    bool pipe = io_is_controlled() && !tslrt->uses.wide && tslrt_sys2(SYS_fstat, fd, &st) == 0 &&
                (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
    return pipe && fits(fd, mode) ? make(fd, mode, &st) : NULL;
}

API FILE *fdopen(int fd, const char *mode) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    FILE *file = open_pipe(fd, mode);
    if (file && strchr(mode, 'e'))
        tslrt_sys3(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC);
    return file ? file : TSLRT_REAL(fdopen)(fd, mode);
}

// ---------------------------------------------------------------- functions of the program

API FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    FILE *file = TSLRT_REAL(fopencookie)(cookie, mode, functions);
    if (!file || !io_is_controlled())
        return file;
    const void *all[] = {(const void *)functions.read, (const void *)functions.write,
                         (const void *)functions.seek, (const void *)functions.close};
    const void *foreign = NULL;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        foreign = tslrt_is_foreign(all[i]) ? all[i] : foreign;
    guarded(file, tslrt_file_guard(file, foreign));
    return file;
}

// ---------------------------------------------------------------- all other streams

// Are there wide characters in the buffer?  Two words tell where the next one is and where they
// end.
static bool has_wide_characters(const FILE *file) {
    wchar_t *const *at = (wchar_t *const *)(const void *)file->_wide_data;
    return file->_mode > 0 && at[0] < at[1];
}

static bool has_read_all(const FILE *file) {
    return file->_IO_read_ptr >= file->_IO_read_end && !has_wide_characters(file);
}

void tslrt_file_wait_ready(FILE *file, bool reads, uint32_t site) {
    int fd = file->_fileno;
    bool waits = !reads || has_read_all(file);
    if (!RUN->libc.nchannels || fd < 0 || !waits || !tslrt_channel_of(fd, !reads) ||
        !io_can_block(fd))
        return;
    tslrt_weaken_at(
        site, TSL_REASON_UNCONTROLLED,
        "a stream on a pipe or socket that libc handles alone: if it has to wait in the "
        "middle of a call, no other thread runs");
    io_step_on_descriptor(fd, reads ? POLLIN : POLLOUT, true, false, site);
    io_done(0);
}
