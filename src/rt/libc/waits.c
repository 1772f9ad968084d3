// Calls that wait in the kernel for something that another thread may have to do first.
//
//     wait, waitpid, system    for a child, which may itself wait for a thread of this process
//     open of a named pipe     until the other end is opened
//     connect                  while the queue of the other socket is full
//     splice, tee, vmsplice,   for a pipe or socket
//     sendfile
//
// Each is a step on descriptors, which is enabled once the kernel would not wait any more.  To find
// that out, nothing is taken from a pipe.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../notes.h"
#include "../print.h"
#include "../proc.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"

// Are there other threads that could run?
static bool shares(void) { return io_is_controlled() && RUN->count.live > 1; }

// ---------------------------------------------------------------- children

typedef struct child {
    int which;
    id_t id;
    int options; // of waitid
} child;

static bool has_news(const void *about) {
    const child *c = about;
    siginfo_t info = {0};
    long got = tslrt_sys5(SYS_waitid, c->which, c->id, &info, c->options | WNOHANG | WNOWAIT, NULL);
    return got != 0 || info.si_pid;
}

// The state of a process in /proc: R if it runs, S if it sleeps, Z if it has ended.
static char state_of(unsigned pid) {
    char path[32], text[512];
    tslrt_format(path, sizeof path, "/proc/%u/stat", pid);
    tslrt_read_text(path, text, sizeof text);
    const char *behind = strrchr(text, ')');
    return behind && behind[1] ? behind[2] : 'Z';
}

static bool all_sleep(unsigned parent, unsigned depth) {
    unsigned pids[TSLRT_MAX_CHILDREN], n = tslrt_children(parent, pids, TSLRT_MAX_CHILDREN);
    for (unsigned i = 0; i < n; i++) {
        char state = state_of(pids[i]);
        if (!strchr("STtZ", state) || (depth > 0 && !all_sleep(pids[i], depth - 1)))
            return false;
    }
    return true;
}

// A child that runs is waited for here, so that all runs are alike.  If all children sleep, they
// may wait for another thread, and the schedule goes on.
static void await_child(child c, uint32_t site) {
    enum { ASLEEP = 4, DEPTH = 4 };
    struct timespec moment = {.tv_nsec = 1000000};
    for (unsigned asleep = 0; shares() && !(c.options & WNOHANG) && !has_news(&c);) {
        asleep = all_sleep((unsigned)tslrt_sys0(SYS_getpid), DEPTH) ? asleep + 1 : 0;
        if (asleep < ASLEEP) {
            tslrt_sys2(SYS_nanosleep, &moment, NULL);
            continue;
        }
        tslrt_io io = {.ready = has_news, .about = &c};
        io_step(&io, site);
        io_done(0);
        return;
    }
}

static child child_of(pid_t pid, int options) {
    child c = {.options = WEXITED | (options & (WNOHANG | WCONTINUED)) |
                          (options & WUNTRACED ? WSTOPPED : 0)};
    c.which = pid == -1 ? P_ALL : pid > 0 ? P_PID : P_PGID;
    c.id = pid > 0     ? (id_t)pid
           : pid == -1 ? 0
           : pid == 0  ? (id_t)tslrt_sys1(SYS_getpgid, 0)
                       : (id_t)-pid;
    return c;
}

static long wait_for_child(pid_t pid, int *status, int options, struct rusage *usage) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    await_child(child_of(pid, options), site);
    return tslrt_returned(IO_CALL(tslrt_sys4(SYS_wait4, pid, status, options, usage)));
}

API pid_t waitpid(pid_t pid, int *status, int options) {
    return (pid_t)wait_for_child(pid, status, options, NULL);
}

API pid_t wait(int *status) { return (pid_t)wait_for_child(-1, status, 0, NULL); }

API pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage) {
    return (pid_t)wait_for_child(pid, status, options, usage);
}

API pid_t wait3(int *status, int options, struct rusage *usage) {
    return (pid_t)wait_for_child(-1, status, options, usage);
}

API int waitid(idtype_t which, id_t id, siginfo_t *info, int options) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    if (!(options & ~(WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED)))
        await_child((child){.which = (int)which, .id = id, .options = options}, site);
    return (int)tslrt_returned(IO_CALL(tslrt_sys5(SYS_waitid, which, id, info, options, NULL)));
}

// As in libc, SIGCHLD is blocked meanwhile.  Signals of the terminal go to the tool anyway.
API int system(const char *command) {
    extern char **environ;
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    if (!command || !shares())
        return TSLRT_REAL(system)(command);
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    pid_t pid = -1;
    int status = -1;
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, &before);
    if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0) {
        RUN->process.had_children = true;
        await_child(child_of(pid, 0), site);
        pid = (pid_t)tslrt_sys4(SYS_wait4, pid, &status, 0, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid > 0 ? status : -1;
}

// ---------------------------------------------------------------- named pipes

typedef struct opening {
    const char *path;
    int dir, flags, fd;
} opening;

// Is the pipe open for writing?  tee into another pipe tells: it returns 0 if there is no writer,
// and EAGAIN if there is one but no data.
static bool has_writer(const void *about) {
    const opening *o = about;
    int ends[2];
    if (io_is_ready(o->fd, POLLIN))
        return true;
    if (tslrt_sys2(SYS_pipe2, ends, O_CLOEXEC) != 0)
        return true;
    enum { DONT_WAIT = 2 };
    long got = tslrt_sys4(SYS_tee, o->fd, ends[1], 1, DONT_WAIT);
    tslrt_sys1(SYS_close, ends[0]);
    tslrt_sys1(SYS_close, ends[1]);
    return got != 0;
}

// The kernel opens a named pipe for writing only if there is a reader.  A waiting thread counts as
// a writer as soon as a reader comes, so the pipe is opened right then.
static bool has_reader(const void *about) {
    opening *o = (opening *)about;
    if (o->fd < 0)
        o->fd = (int)tslrt_sys4(SYS_openat, o->dir, o->path, o->flags | O_NONBLOCK, 0);
    return o->fd != -ENXIO;
}

static void wait_for_end(opening *o, bool writes, uint32_t site) {
    tslrt_io io = {.ready = writes ? has_reader : has_writer, .about = o};
    io_done(0); // a thread that waits for this end may go on
    if (io.ready(o))
        return;
    io_step(&io, site);
}

bool tslrt_fifo_waits(int dir, const char *path, int flags) {
    struct stat st;
    return shares() && !(flags & (O_NONBLOCK | O_PATH)) && (flags & O_ACCMODE) != O_RDWR &&
           tslrt_sys4(SYS_newfstatat, dir, path, &st, 0) == 0 && S_ISFIFO(st.st_mode);
}

long tslrt_fifo_open(int dir, const char *path, int flags, uint32_t site) {
    bool writes = (flags & O_ACCMODE) == O_WRONLY;
    opening o = {.path = path, .dir = dir, .flags = flags & ~(O_CREAT | O_TRUNC), .fd = -ENXIO};
    tslrt_io_turn(site);
    if (!writes)
        o.fd = (int)tslrt_sys4(SYS_openat, dir, path, o.flags | O_NONBLOCK, 0);
    if (writes || o.fd >= 0)
        wait_for_end(&o, writes, site);
    bool interrupted = io_was_interrupted();
    if (interrupted && o.fd >= 0)
        tslrt_sys1(SYS_close, o.fd);
    if (interrupted)
        o.fd = -EINTR;
    if (o.fd >= 0)
        tslrt_sys3(SYS_fcntl, o.fd, F_SETFL, flags & ~(O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK));
    return o.fd;
}

// A named pipe was opened.  It becomes a channel, so that reading and writing it are exact.
// Opening it has changed whether these would wait.
void tslrt_fifo_opened(int fd, const struct stat *st, uint32_t site) {
    if (!io_is_controlled() || !S_ISFIFO(st->st_mode))
        return;
    tslrt_channel *c = tslrt_channel_of(fd, false);
    if (!c) {
        tslrt_io_turn(site);
        tslrt_channel_made(fd, fd);
        c = tslrt_channel_of(fd, false);
    }
    io_touched(c, fd, site);
    io_done(0);
}

// ---------------------------------------------------------------- connections

typedef struct connecting {
    int fd;
    const void *to;
    socklen_t size;
    long got;
} connecting;

static bool is_connected(const void *about) {
    connecting *c = (connecting *)about;
    if (c->got == -EAGAIN)
        c->got = tslrt_sys3(SYS_connect, c->fd, c->to, c->size);
    return c->got != -EAGAIN;
}

static bool is_here(const struct sockaddr *to, socklen_t size) {
    sa_family_t family = size >= sizeof to->sa_family ? to->sa_family : AF_UNSPEC;
    if (family == AF_INET && size >= sizeof(struct sockaddr_in))
        return ntohl(((const struct sockaddr_in *)(const void *)to)->sin_addr.s_addr) >> 24 == 127;
    if (family == AF_INET6 && size >= sizeof(struct sockaddr_in6))
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)to)->sin6_addr);
    return family == AF_UNIX || family == AF_UNSPEC;
}

static long error_of(int fd) {
    int error = 0;
    socklen_t size = sizeof error;
    tslrt_sys5(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size);
    return -error;
}

// Connects without waiting if possible; otherwise other threads run until the other side has room.
static long connect_step(connecting *c, uint32_t site) {
    long flags = tslrt_sys3(SYS_fcntl, c->fd, F_GETFL, 0);
    struct pollfd one = {.fd = c->fd, .events = POLLOUT};
    if (flags < 0 || flags & O_NONBLOCK)
        return tslrt_sys3(SYS_connect, c->fd, c->to, c->size);
    tslrt_sys3(SYS_fcntl, c->fd, F_SETFL, flags | O_NONBLOCK);
    c->got = -EAGAIN;
    tslrt_io room = {.ready = is_connected, .about = c};
    if (!is_connected(c))
        io_step(&room, site);
    tslrt_io answer = {.fds = &one, .n = 1};
    bool asked = c->got == -EINPROGRESS;
    if (asked && io_polled(&one, 1) == 0)
        io_step(&answer, site);
    long got = io_was_interrupted() ? -EINTR : asked ? error_of(c->fd) : c->got;
    tslrt_sys3(SYS_fcntl, c->fd, F_SETFL, flags);
    return got;
}

API int connect(int fd, const struct sockaddr *to, socklen_t size) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    if (!io_is_controlled())
        return (int)tslrt_returned(tslrt_sys3(SYS_connect, fd, to, size));
    if (to && !is_here(to, size))
        tslrt_weaken_at(site, TSL_REASON_UNCONTROLLED,
                        "connecting to another computer is not controlled");
    connecting c = {.fd = fd, .to = to, .size = size};
    if (tslrt_io_turn(site) && to && size >= sizeof to->sa_family && to->sa_family == AF_UNIX) {
        tslrt_call_uses(TSL_STATE_FILES, TSL_ROLE_READ); // the address is a path
        tslrt_call_uses(TSL_STATE_PROCESS, TSL_ROLE_READ);
    }
    tslrt_call_reads(to, size, site);
    return (int)io_done(connect_step(&c, site));
}

// ---------------------------------------------------------------- from one descriptor to another

typedef struct both {
    int in, out; // -1: it is not waited for
} both;

static bool are_ready(const void *about) {
    const both *b = about;
    return (b->in < 0 || io_is_ready(b->in, POLLIN)) &&
           (b->out < 0 || io_is_ready(b->out, POLLOUT));
}

static int waits_at(int fd) { return fd >= 0 && io_is_channel(fd) && io_can_block(fd) ? fd : -1; }

// The step waits until there is data at `in` and room at `out`.
static void between(int in, int out, bool dont_wait, uint32_t site) {
    both b = {dont_wait ? -1 : waits_at(in), dont_wait ? -1 : waits_at(out)};
    tslrt_io io = {.ready = are_ready, .about = &b};
    bool waits = b.in >= 0 || b.out >= 0;
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    if (io_is_controlled() && TSL_HOT->recording != TSL_RECORD_NOTHING)
        io_step(waits ? &io : NULL, site);
}

// One of the descriptors may be a file, which may also be mapped, or used by name.
static void with_files(int in, int out) {
    if (!io_is_controlled() || TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    tslrt_mapping_used(in);
    tslrt_mapping_used(out);
    tslrt_call_uses(TSL_STATE_FILES, TSL_ROLE_WRITE);
}

static ssize_t moved(int in, int out, long got) {
    if (io_is_controlled() && TSL_HOT->recording != TSL_RECORD_NOTHING) {
        io_also_touch(tslrt_channel_of(in, false));
        io_also_touch(tslrt_channel_of(out, true));
    }
    return io_done(got);
}

enum { SPLICE_DONT_WAIT = 2 };

API ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned flags) {
    uint32_t site = tslrt_take_site();
    between(in, out, flags & SPLICE_DONT_WAIT, site);
    with_files(in, out);
    long got =
        IO_CALL(tslrt_sys6(SYS_splice, in, (long)in_at, out, (long)out_at, (long)n, (long)flags));
    if (got > 0 && in_at)
        tslrt_call_writes(in_at, sizeof *in_at, site);
    if (got > 0 && out_at)
        tslrt_call_writes(out_at, sizeof *out_at, site);
    return moved(in, out, got);
}

API ssize_t tee(int in, int out, size_t n, unsigned flags) {
    between(in, out, flags & SPLICE_DONT_WAIT, tslrt_take_site());
    return moved(in, out, IO_CALL(tslrt_sys4(SYS_tee, in, out, n, flags)));
}

API ssize_t vmsplice(int fd, const struct iovec *parts, size_t n, unsigned flags) {
    uint32_t site = tslrt_take_site();
    bool writes = (tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0) & O_ACCMODE) != O_RDONLY;
    between(writes ? -1 : fd, writes ? fd : -1, flags & SPLICE_DONT_WAIT, site);
    long got = IO_CALL(tslrt_sys4(SYS_vmsplice, fd, parts, n, flags)), left = got;
    tslrt_call_reads(parts, n * sizeof *parts, site);
    for (size_t i = 0; i < n && left > 0; left -= (long)parts[i++].iov_len) {
        size_t part = (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
        if (writes)
            tslrt_call_sends(parts[i].iov_base, part, site);
        else
            tslrt_call_writes(parts[i].iov_base, part, site);
    }
    return moved(writes ? -1 : fd, writes ? fd : -1, got);
}

API ssize_t sendfile(int out, int in, off_t *at, size_t n) {
    uint32_t site = tslrt_take_site();
    between(-1, out, false, site);
    with_files(in, out);
    long got = IO_CALL(tslrt_sys4(SYS_sendfile, out, in, at, n));
    if (at)
        tslrt_call_writes(at, sizeof *at, site);
    return moved(-1, out, got);
}

API ssize_t sendfile64(int out, int in, off_t *at, size_t n) { return sendfile(out, in, at, n); }
