// The process: failed assertions, other processes, opening files.  How it ends is in exit.c.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../print.h"
#include "../quick.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "process.h"

// ---------------------------------------------------------------- failing

API noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                                const char *function) {
    uint32_t site = tslrt_take_site();
    if (site) // says file and line
        tslrt_end(TSL_OUT_ASSERTION, site, NULL, "%s", expression);
    tslrt_end(TSL_OUT_ASSERTION, 0, NULL, "%s (%s:%u, in %s)", expression, file, line, function);
}

API noreturn void __assert_perror_fail(int error, const char *file, unsigned line,
                                       const char *function) {
    tslrt_end(TSL_OUT_ASSERTION, tslrt_take_site(), NULL, "unexpected error %d (%s:%u, in %s)",
              error, file, line, function);
}

API noreturn void teasel_assert_fail(const char *expression, const char *file, unsigned line,
                                     const char *function) {
    __assert_fail(expression, file, line, function);
}

API noreturn void __teasel_reach_error(void) {
    tslrt_end(TSL_OUT_ASSERTION, tslrt_take_site(), NULL, "reach_error was reached");
}

API noreturn void abort(void) {
    uint32_t site = tslrt_take_site();
    void (*handler)(int) = tslrt_reg()->signal_actions[SIGABRT].handler;
    if ((uintptr_t)handler > 1)
        raise(SIGABRT);
    if (!tslrt_watched()) {
        signal(SIGABRT, SIG_DFL);
        tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), SIGABRT);
    }
    tslrt_end(TSL_OUT_ABORT, site, NULL, "abort() was called");
}

// ---------------------------------------------------------------- other processes

// The child is a process of its own, uncontrolled, which goes on with the thread that forked.
static void become_child(int32_t parent) {
    static const tsl_plan_head plan = {.max_steps = 1ull << 60, .policy = TSL_POLICY_FAIR};
    if (tslrt->kind != RT_CHILD) {
        tslrt->process.tested_pid = parent;
        tslrt->process.tested_trace = tslrt->kind == RT_SERVED ? RUN->trace.head : NULL;
    }
    tslrt->kind = RT_CHILD;
    tslrt->wire = NULL;
    RUN->plan = &plan; // and its own Trace, because the parent's is in memory that both share
    RUN->trace.first = TSL_HOT->cursor = (tsl_event *)TSLRT_EVENTS_AT;
    RUN->trace.limit = RUN->trace.first + TSLRT_EVENTS_ROOM;
    RUN->trace.head = (tsl_trace_head *)TSLRT_TRACE_AT;
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (f == SELF)
            continue;
        tslrt_set_enabled(f, false);
        f->state = FIBER_ENDED;
    }
    RUN->count.live = 1;
    RUN->count.unjoined = 1;
    RUN->process.had_children = false;
    RUN->process.number = (unsigned)tslrt_sys0(SYS_getpid) % 32767 + 1;
    tslrt_locks_inherited();
    RUN->prefix.is_over = true;
    RUN->filter.on = false;
    RUN->fuel.ask_at = 1ll << 60;
    tslrt_recording_update();
}

// Until the child knows that it is one, signals are blocked: they would go into the parent's Trace.
API pid_t fork(void) {
    enum { MASK_SIZE = 8 };
    uint64_t all = ~0ull, mask = 0;
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->trace.flags |= TSL_TRACE_FORKED | TSL_TRACE_LEAKED;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "fork is not controlled: the child runs on its own, untested");
    int32_t self = (int32_t)tslrt_sys0(SYS_getpid);
    tslrt_sys4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, MASK_SIZE);
    pid_t pid = TSLRT_REAL(fork)();
    if (pid == 0)
        become_child(self);
    else
        RUN->process.had_children |= pid > 0;
    tslrt_sys4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, MASK_SIZE);
    return pid;
}

// The same as fork, so the child has its own memory, and can't damage the parent before its exec.
API pid_t vfork(void) { return fork(); }

static bool runnable(const char *path) {
    struct stat st;
    long got = tslrt_sys4(SYS_faccessat, AT_FDCWD, path, X_OK, 0);
    if (got == 0 && (got = tslrt_sys4(SYS_newfstatat, AT_FDCWD, path, &st, 0)) == 0)
        got = S_ISREG(st.st_mode) ? 0 : -EACCES;
    errno = (int)-got;
    return got == 0;
}

// Searches as execvp does.
static bool runnable_in_path(const char *name) {
    const char *folders = getenv("PATH");
    bool found = false;
    for (const char *at = folders ? folders : "/bin:/usr/bin"; *at && !found;) {
        size_t n = strcspn(at, ":");
        char path[PATH_MAX];
        if (n + strlen(name) + 2 <= sizeof path) {
            memcpy(path, at, n);
            tslrt_format(path + n, sizeof path - n, "%s%s", n ? "/" : "", name);
            found = runnable(path);
        }
        at += n + (at[n] == ':');
    }
    return found;
}

// Under the tool, exec ends the run, because another program would take over.  Returns true if
// there is no such program, and false without the tool.
static bool exec_fails(const char *path, bool search) {
    bool found = search && !strchr(path, '/') ? runnable_in_path(path) : runnable(path);
    if (!found || !tslrt_watched())
        return !found;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "exec is not controlled: the run ends there and the new program is not run");
    RUN->trace.head->exit_status = 0;
    tslrt_end(TSL_OUT_OK, tslrt_take_site(), NULL, "exec of %s", path);
}

extern char **environ;

static int exec_direct(const char *path, char *const argv[], char *const envp[]) {
    if (exec_fails(path, false))
        return -1;
    return (int)tslrt_returned(tslrt_sys3(SYS_execve, path, argv, envp));
}

API int execve(const char *path, char *const argv[], char *const envp[]) {
    return exec_direct(path, argv, envp);
}

API int execv(const char *path, char *const argv[]) { return exec_direct(path, argv, environ); }

API int execvpe(const char *path, char *const argv[], char *const envp[]) {
    return exec_fails(path, true) ? -1 : TSLRT_REAL(execvpe)(path, argv, envp);
}

API int execvp(const char *path, char *const argv[]) {
    return exec_fails(path, true) ? -1 : TSLRT_REAL(execvpe)(path, argv, environ);
}

enum { EXEC_WORDS = 1024 };

static void collect_words(char *argv[EXEC_WORDS], const char *first, va_list *args) {
    unsigned n = 0;
    for (const char *word = first; word && n < EXEC_WORDS - 1; word = va_arg(*args, const char *))
        argv[n++] = (char *)word;
    argv[n] = NULL;
}

#define EXEC(name, call)                                                                           \
    API int name(const char *path, const char *first, ...) {                                       \
        char *argv[EXEC_WORDS];                                                                    \
        va_list args;                                                                              \
        va_start(args, first);                                                                     \
        collect_words(argv, first, &args);                                                         \
        int got = call;                                                                            \
        va_end(args);                                                                              \
        return got;                                                                                \
    }

EXEC(execl, execv(path, argv))
EXEC(execlp, execvp(path, argv))
EXEC(execle, execve(path, argv, va_arg(args, char *const *)))

// Outside of tests, the caller ends, and a child goes on in a new session.  Here the process itself
// goes on, in the same session and with its output, so that the program is tested.
API int daemon(int nochdir, int noclose) {
    (void)noclose;
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD)
        return TSLRT_REAL(daemon)(nochdir, noclose);
    tslrt_say("daemon: the program goes on in the same process, and keeps its output");
    if (RUN->count.live > 1)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "daemon: the other threads go on, too, which they do not in real life");
    return nochdir ? 0 : (int)tslrt_returned(tslrt_sys1(SYS_chdir, "/"));
}

// The runtime makes system calls of its own, which a filter of the program would not allow.
static bool takes_calls_away(int option, unsigned long mode) {
    return option == PR_SET_SECCOMP && (mode == SECCOMP_MODE_STRICT || mode == SECCOMP_MODE_FILTER);
}

bool tslrt_is_confined(void) {
    if (tslrt->kind == RT_EARLY)
        return false;
    if (tslrt->kind != RT_CHILD)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "seccomp is not applied: what it forbids the program is allowed to do here");
    return true;
}

static bool is_about_name(int option) { return option == PR_SET_NAME || option == PR_GET_NAME; }

// The kernel sees all threads of the program as one: their names are kept here, cut if too long.
static long name_thread(int option, char *name) {
    enum { MOST = 15 };
    char cut[MOST + 1] = {0};
    if (option == PR_GET_NAME)
        return -pthread_getname_np(pthread_self(), name, MOST + 1);
    size_t n = strnlen(name, MOST);
    tslrt_call_reads(name, n < MOST ? n + 1 : MOST, TSL_HOT->call_site);
    memcpy(cut, name, n);
    return -pthread_setname_np(pthread_self(), cut);
}

// How many bytes does prctl store where its argument points to?
static size_t stored_by(int option) {
    switch (option) {
    case PR_GET_NAME:
        return 16;
    case PR_GET_TID_ADDRESS:
        return sizeof(void *);
    case PR_GET_PDEATHSIG:
    case PR_GET_UNALIGN:
    case PR_GET_FPEMU:
    case PR_GET_FPEXC:
    case PR_GET_ENDIAN:
    case PR_GET_TSC:
    case PR_GET_CHILD_SUBREAPER:
        return sizeof(int);
    default:
        return 0;
    }
}

API int prctl(int option, ...) {
    unsigned long a[4];
    va_list args;
    va_start(args, option);
    for (unsigned i = 0; i < 4; i++)
        a[i] = va_arg(args, unsigned long);
    va_end(args);
    if (takes_calls_away(option, a[0]) && tslrt_is_confined())
        return 0;
    bool named = is_about_name(option) && SELF && tslrt->kind != RT_CHILD;
    long got = named ? name_thread(option, (char *)a[0])
                     : tslrt_sys5(SYS_prctl, option, a[0], a[1], a[2], a[3]);
    if (got < 0)
        return tslrt_fail((int)-got);
    tslrt_call_writes((void *)a[0], stored_by(option), TSL_HOT->call_site);
    return (int)got;
}

API pid_t getpid(void) {
    tslrt_init();
    return tslrt_watched() ? tslrt->process.pid : (pid_t)tslrt_sys0(SYS_getpid);
}

API pid_t gettid(void) { return getpid() + (SELF ? SELF->id : 0); }

// ---------------------------------------------------------------- files

// A file is opened.  Reading does no harm, but what is written stays there after the run.
static void opened(const char *path, bool writes) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (!writes || strcmp(path, "/dev/null") == 0)
        return;
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->trace.flags |= TSL_TRACE_LEAKED;
    tslrt_say("files are written: a later run sees what an earlier one wrote");
}

static int open_at(int dir, const char *path, int flags, mode_t mode) {
    char room[TSLRT_OUTSIDE_PATH];
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    opened(path, writes);
    const char *real = writes || dir != AT_FDCWD ? path : tslrt_outside_path(path, room);
    if (real != path)
        flags &= ~O_NOFOLLOW;
    uint32_t site = TSL_HOT->call_site;
    bool waits = tslrt_fifo_waits(dir, real, flags);
    long fd = waits ? tslrt_fifo_open(dir, real, flags, site)
                    : tslrt_sys4(SYS_openat, dir, real, flags, mode);
    struct stat st;
    if (fd >= 0 && tslrt_sys2(SYS_fstat, fd, &st) == 0) {
        tslrt_fifo_opened((int)fd, &st, site);
        if (real == path)
            tslrt_varies_opened((int)fd, &st, path, flags);
    }
    if (fd == -EEXIST)
        tslrt_varies_taken(dir, path);
    return (int)tslrt_returned(fd);
}

static mode_t mode_of(int flags, va_list args) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

API int open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_at(AT_FDCWD, path, flags, mode);
}

API int open64(const char *path, int flags, ...) __attribute__((alias("open")));

API int openat(int dir, const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_at(dir, path, flags, mode);
}

API int creat(const char *path, mode_t mode) {
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static const char *to_open(const char *path, const char *mode, char room[TSLRT_OUTSIDE_PATH]) {
    bool writes = strpbrk(mode, "wa+") != NULL;
    opened(path ? path : "/dev/null", writes);
    return writes || !path ? path : tslrt_outside_path(path, room);
}

static FILE *opened_as(FILE *file, const char *path, const char *real, const char *mode) {
    int flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    struct stat st;
    if (!file && path && errno == EEXIST) {
        tslrt_varies_taken(AT_FDCWD, path);
        errno = EEXIST;
    }
    if (file && path && real == path && tslrt_sys2(SYS_fstat, fileno(file), &st) == 0)
        tslrt_varies_opened(fileno(file), &st, path, flags | (strchr(mode, 'e') ? O_CLOEXEC : 0));
    return file;
}

// Opens a named pipe as a stream of piped.c.  NULL if this is none.
static FILE *open_fifo(const char *path, const char *mode) {
    int flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    uint32_t site = TSL_HOT->call_site;
    if (!tslrt_fifo_waits(AT_FDCWD, path, flags))
        return NULL;
    long fd = tslrt_fifo_open(AT_FDCWD, path, flags, site);
    if (fd < 0)
        return NULL;
    struct stat st;
    if (tslrt_sys2(SYS_fstat, fd, &st) == 0)
        tslrt_fifo_opened((int)fd, &st, site);
    return fdopen((int)fd, mode);
}

API FILE *fopen(const char *path, const char *mode) {
    char room[TSLRT_OUTSIDE_PATH];
    const char *at = to_open(path, mode, room);
    FILE *piped = at ? open_fifo(at, mode) : NULL;
    return piped ? piped : opened_as(TSLRT_REAL(fopen)(at, mode), path, at, mode);
}

API FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

API FILE *freopen(const char *path, const char *mode, FILE *file) {
    char room[TSLRT_OUTSIDE_PATH];
    const char *at = to_open(path, mode, room);
    return opened_as(TSLRT_REAL(freopen)(at, mode, file), path, at, mode);
}

API FILE *freopen64(const char *path, const char *mode, FILE *file) {
    return freopen(path, mode, file);
}

// A program may look at a file before it opens it; a file may be an input.
static int stat_at(const char *path, struct stat *st, int flags) {
    char room[TSLRT_OUTSIDE_PATH];
    const char *real = tslrt_outside_path(path, room);
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    return fstatat(AT_FDCWD, real, st, real == path ? flags : 0);
}

API int __teasel_stat(const char *path, struct stat *st) { return stat_at(path, st, 0); }

API int __teasel_lstat(const char *path, struct stat *st) {
    return stat_at(path, st, AT_SYMLINK_NOFOLLOW);
}

API int __teasel_file_access(const char *path, int mode) {
    char room[TSLRT_OUTSIDE_PATH];
    return access(mode & W_OK ? path : tslrt_outside_path(path, room), mode);
}
