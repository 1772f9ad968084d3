// The process: ending it, and what reaches outside of it.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../extern.h"
#include "../sync/objects.h"
#include "../sys.h"

// ---------------------------------------------------------------- failing

API noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                                const char *function) {
    uint32_t site = tslrt_take_site();
    if (site) // tells file and line
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
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD || tslrt->kind == RT_ALONE) {
        signal(SIGABRT, SIG_DFL);
        tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), SIGABRT);
    }
    tslrt_end(TSL_OUT_ABORT, site, NULL, "abort() was called");
}

// ---------------------------------------------------------------- ending

// `from`: who registers.  Libraries that are not instrumented do that too, and may hold locks of their own.
static int at_exit(void (*call)(void *), void *arg, unsigned kind, const void *from) {
    if (!tslrt_mapped)
        tslrt_init();
    if (tslrt->kind != RT_EARLY && !tslrt_from_libc(from))
        tslrt_call_changes(TSL_STATE_EXITS, tslrt_take_site());
    tslrt_registry *reg = tslrt_reg_change();
    if (reg->nexit >= TSLRT_MAX_ATEXIT)
        return -1;
    reg->exits[reg->nexit++] = (exit_call){.call = call, .arg = arg, .kind = (uint8_t)kind};
    return 0;
}

enum { AT_EXIT, ON_EXIT, AT_QUICK_EXIT };

API int __cxa_atexit(void (*call)(void *), void *arg, void *dso) {
    (void)dso;
    return at_exit(call, arg, AT_EXIT, __builtin_return_address(0));
}

API int on_exit(void (*call)(int, void *), void *arg) {
    return at_exit((void (*)(void *))(void *)call, arg, ON_EXIT, __builtin_return_address(0));
}

API int __cxa_at_quick_exit(void (*call)(void *), void *dso) {
    (void)dso;
    return at_exit(call, NULL, AT_QUICK_EXIT, __builtin_return_address(0));
}

// Who takes a call runs it, while other threads may register and take others.
static bool take_call(exit_call *taken) {
    tslrt_registry *reg = tslrt_reg();
    if (tslrt_changes_state(TSL_STATE_EXITS))
        tslrt_call_changes(TSL_STATE_EXITS, SELF->pend.site);
    if (!reg->nexit)
        return false;
    reg->touched = true;
    *taken = reg->exits[--reg->nexit];
    return true;
}

static void run_calls(bool quick, int status) {
    exit_call c;
    while (take_call(&c)) {
        if (quick != (c.kind == AT_QUICK_EXIT))
            continue;
        if (c.kind == ON_EXIT)
            ((void (*)(int, void *))(void *)c.call)(status, c.arg);
        else
            c.call(c.arg);
    }
}

extern void (*__fini_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_end[])(void) __attribute__((weak, visibility("hidden")));

// Destructors of the program itself.  A single entry is the compiler's own.
static void run_destructors(void) {
    if (__fini_array_end - __fini_array_start <= 1)
        return;
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    for (void (**f)(void) = __fini_array_end; f-- > __fini_array_start;)
        (*f)();
}

static void stop_others(void) {
    RUN->exiting = SELF;
    RUN->exit_running = true;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f == SELF)
            continue;
        f->ready_at_exit = f->enabled;
        tslrt_set_enabled(f, false);
    }
}

// The process ends though others wait, blocked or in a loop: said once, and no bug.
static void say_who_is_left(void) {
    if (tslrt->said_left || RUN->nlive <= 1)
        return;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f == SELF || f->state != FIBER_LIVE || f->pend.kind == TSL_EV_EXIT)
            continue;
        tslrt->said_left = true;
        tslrt_say_at(f->pend.site, "a thread still %s when the program ended: that is no deadlock",
                     f->pend.kind == TSL_EV_AWAIT ? "waited in a loop" : "waited");
        return;
    }
}

static noreturn void finish(int status) {
    if (RUN->plan->flags & TSL_PLAN_LEAKS)
        tslrt_leak_check();
    RUN->trace->exit_status = status;
    bool bad = status != 0 && (RUN->plan->flags & TSL_PLAN_EXIT_STATUS);
    if (bad)
        tslrt_end(TSL_OUT_EXIT_STATUS, SELF->pend.site, NULL, "the program ended with status %d",
                  status);
    tslrt_end(TSL_OUT_OK, SELF->pend.site, NULL, "");
}

// Handlers and destructors are code of the program like any other: the other threads go on until they have returned.
static noreturn void leave(int status, bool calls, bool quick) {
    status &= 0xff;
    if (RUN->exit_running) // libc called back while it flushed its streams
        finish(status);
    if (calls)
        run_calls(quick, status);
    if (calls && !quick)
        run_destructors();
    RUN->exiting = SELF;
    tslrt_op(TSL_EV_EXIT, NULL);
    tslrt_result((unsigned)status);
    tslrt_end_if_stuck(false);
    say_who_is_left();
    stop_others();
    if (calls && !quick && (TSL_HOT->opaque || tslrt->kind != RT_SERVED))
        fflush(NULL);
    finish(status);
}

noreturn void tslrt_exit_process(int status) { leave(status, true, false); }

// libc's own calls of exit (err, error, ...) do not come to ours, but they call what was
// registered with libc.
static void libc_exits(int status, void *arg) {
    (void)arg;
    if (tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD && SELF && !RUN->ending)
        leave(status, true, false);
}

void tslrt_catch_libc_exit(void) {
    int (*real)(void (*)(int, void *), void *) =
        (int (*)(void (*)(int, void *), void *))dlsym(RTLD_NEXT, "on_exit");
    if (real)
        real(libc_exits, NULL);
}

API noreturn void exit(int status) { leave(status, true, false); }

API noreturn void quick_exit(int status) { leave(status, true, true); }

API noreturn void _exit(int status) {
    if (tslrt->kind == RT_CHILD || tslrt->kind == RT_EARLY) {
        tslrt_sys1(SYS_exit_group, status);
        __builtin_unreachable();
    }
    leave(status, false, false);
}

API noreturn void _Exit(int status) { _exit(status); }

// ---------------------------------------------------------------- other processes

// The child is a process of its own that nobody controls; it goes on with the
// thread that forked.
static void become_child(void) {
    tslrt->kind = RT_CHILD;
    tslrt->wire = NULL;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f == SELF)
            continue;
        tslrt_set_enabled(f, false);
        f->state = FIBER_ENDED;
    }
    static const tsl_plan_head plan = {.max_steps = 1ull << 60, .policy = TSL_POLICY_FAIR};
    RUN->plan = &plan;
    RUN->first = TSL_HOT->cursor = (tsl_event *)TSLRT_EVENTS_AT;
    RUN->limit = RUN->ask_at = RUN->first + TSLRT_EVENTS_ROOM;
    RUN->trace = (tsl_trace_head *)TSLRT_TRACE_AT;
    RUN->nlive = 1;
    RUN->unjoined = 1;
    RUN->in_tail = true;
    tslrt_recording_update();
}

API pid_t fork(void) {
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->flags |= TSL_TRACE_FORKED | TSL_TRACE_LEAKED;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "fork is not controlled: the child runs on its own, untested");
    pid_t pid = real();
    if (pid == 0)
        become_child();
    else if (pid > 0 && RUN->nchildren < TSLRT_MAX_CHILDREN)
        RUN->children[RUN->nchildren++] = pid;
    return pid;
}

// As fork: the child has memory of its own, so what it does before it executes something else, or
// ends, leaves the parent whole.
API pid_t vfork(void) { return fork(); }

// Under the tool exec ends the run: what takes over is another program.
static void exec_ends_run(const char *path) {
    if (!tslrt_watched())
        return;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "exec is not controlled: the run ends there and the new program is not run");
    RUN->trace->exit_status = 0;
    tslrt_end(TSL_OUT_OK, tslrt_take_site(), NULL, "exec of %s", path);
}

static int real_exec(const char *path, char *const argv[], char *const envp[]) {
    int (*real)(const char *, char *const[], char *const[]) =
        (int (*)(const char *, char *const[], char *const[]))dlsym(RTLD_NEXT, "execvpe");
    return real(path, argv, envp);
}

extern char **environ;

static int exec_direct(const char *path, char *const argv[], char *const envp[]) {
    exec_ends_run(path);
    long got = tslrt_sys3(SYS_execve, path, argv, envp);
    errno = (int)-got;
    return -1;
}

API int execve(const char *path, char *const argv[], char *const envp[]) {
    return exec_direct(path, argv, envp);
}

API int execv(const char *path, char *const argv[]) { return exec_direct(path, argv, environ); }

API int execvpe(const char *path, char *const argv[], char *const envp[]) {
    exec_ends_run(path);
    return real_exec(path, argv, envp);
}

API int execvp(const char *path, char *const argv[]) {
    exec_ends_run(path);
    return real_exec(path, argv, environ);
}

enum { EXEC_WORDS = 1024 };

static void collect_words(char *argv[EXEC_WORDS], const char *first, va_list args) {
    unsigned n = 0;
    for (const char *word = first; word && n < EXEC_WORDS - 1; word = va_arg(args, const char *))
        argv[n++] = (char *)word;
    argv[n] = NULL;
}

API int execl(const char *path, const char *first, ...) {
    char *argv[EXEC_WORDS];
    va_list args;
    va_start(args, first);
    collect_words(argv, first, args);
    va_end(args);
    return execv(path, argv);
}

API int execlp(const char *path, const char *first, ...) {
    char *argv[EXEC_WORDS];
    va_list args;
    va_start(args, first);
    collect_words(argv, first, args);
    va_end(args);
    return execvp(path, argv);
}

API int execle(const char *path, const char *first, ...) {
    char *argv[EXEC_WORDS];
    va_list args;
    va_start(args, first);
    collect_words(argv, first, args);
    char *const *envp = va_arg(args, char *const *);
    va_end(args);
    return execve(path, argv, envp);
}

API pid_t getpid(void) {
    if (!tslrt_mapped)
        tslrt_init();
    return tslrt->kind == RT_SERVED || tslrt->kind == RT_REPLAY ? tslrt->pid
                                                                : (pid_t)tslrt_sys0(SYS_getpid);
}

API pid_t gettid(void) { return getpid() + (SELF ? SELF->id : 0); }

API int kill(pid_t pid, int sig) {
    if (pid == getpid())
        return sig > 0 && sig <= 64 && sig != SIGKILL && sig != SIGSTOP ? tslrt_signal_process(sig)
               : sig                                                    ? raise(sig)
                                                                        : 0;
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    tslrt_sends(sig);
    long got = tslrt_sys2(SYS_kill, pid, sig);
    if (got == 0)
        return 0;
    errno = (int)-got;
    return -1;
}

// ---------------------------------------------------------------- files

// Reading is harmless; what is written stays when the run is over.
static void opened(const char *path, bool writes) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (!writes || strcmp(path, "/dev/null") == 0)
        return;
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->flags |= TSL_TRACE_LEAKED;
    tslrt_say("files are written: a later run sees what an earlier one wrote");
    if (tslrt_looks_at_files())
        tslrt_weaken(TSL_REASON_OUTSIDE, "time stamps and inode numbers of files that the program "
                                         "writes differ from run to run");
}

static int open_at(int dir, const char *path, int flags, mode_t mode) {
    char room[TSLRT_OUTSIDE_PATH];
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    opened(path, writes);
    const char *real = writes || dir != AT_FDCWD ? path : tslrt_outside_path(path, room);
    if (real == path)
        real = tslrt_world_path(path, room);
    if (real != path)
        flags &= ~O_NOFOLLOW;
    path = real;
    long fd = tslrt_sys4(SYS_openat, dir, path, flags, mode);
    if (fd >= 0)
        return (int)fd;
    errno = (int)-fd;
    return -1;
}

static mode_t mode_of(int flags, va_list args) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    API int name(const char *path, int flags, ...) {                                               \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = mode_of(flags, args);                                                        \
        va_end(args);                                                                              \
        return open_at(AT_FDCWD, path, flags, mode);                                               \
    }

OPEN(open)
OPEN(open64)

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
    const char *real = writes || !path ? path : tslrt_outside_path(path, room);
    return real == path && path ? tslrt_world_path(path, room) : real;
}

API FILE *fopen(const char *path, const char *mode) {
    FILE *(*real)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    char room[TSLRT_OUTSIDE_PATH];
    return real(to_open(path, mode, room), mode);
}

API FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

API FILE *freopen(const char *path, const char *mode, FILE *file) {
    FILE *(*real)(const char *, const char *, FILE *) =
        (FILE * (*)(const char *, const char *, FILE *)) dlsym(RTLD_NEXT, "freopen");
    char room[TSLRT_OUTSIDE_PATH];
    return real(to_open(path, mode, room), mode, file);
}

API FILE *freopen64(const char *path, const char *mode, FILE *file) {
    return freopen(path, mode, file);
}

// A program may look before it opens.
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

// ---------------------------------------------------------------- mappings

static void *remember(long got, size_t size) {
    if (got < 0 && got > -4096) {
        errno = (int)-got;
        return MAP_FAILED;
    }
    tslrt_registry *reg = tslrt_reg_change();
    if (reg->nmaps < TSLRT_MAX_MAPS) {
        reg->maps[reg->nmaps].addr = (uintptr_t)got;
        reg->maps[reg->nmaps++].len = size;
    } else
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    return (void *)got;
}

API void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
    if (!tslrt_mapped)
        tslrt_init();
    if ((flags & MAP_SHARED) && fd >= 0 && (prot & PROT_WRITE)) {
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
        tslrt_say("files are mapped for writing: a later run sees what an earlier one wrote");
    }
    void *got =
        remember(tslrt_mmap(at, size, prot, flags, fd, offset), (size + 4095) & ~(size_t)4095);
    if (got != MAP_FAILED && fd >= 0 && !(flags & MAP_ANONYMOUS))
        tslrt_outside_mapped(fd, (uint64_t)offset, got, size);
    return got;
}

API void *mmap64(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
    return mmap(at, size, prot, flags, fd, offset);
}

API int munmap(void *at, size_t size) {
    memset(tslrt->readable, 0, sizeof tslrt->readable);
    tslrt_registry *reg = tslrt_reg_change();
    bool known = false;
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (reg->maps[i].addr == (uintptr_t)at &&
            reg->maps[i].len == ((size + 4095) & ~(size_t)4095)) {
            reg->maps[i].len = 0;
            known = true;
        }
    if (!known)
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS; // part of a mapping, or one from before main
    long got = tslrt_sys2(SYS_munmap, at, size);
    if (got == 0)
        return 0;
    errno = (int)-got;
    return -1;
}
