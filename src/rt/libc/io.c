// Descriptors that can block: pipes, sockets, event descriptors.
//
// A blocking call is a step that is enabled once the kernel says that the descriptor
// is ready; until then other threads run.  What threads of the program send each
// other is decided by the schedule alone.  All such steps are on one object: who
// reads and writes first matters, whichever descriptors they use.
//
// A call that would not wait (it is told not to, or only closes) is a step too, since what it
// finds depends on the others; it is always enabled.
//
// Plain files and terminals never wait; reading and writing them is a step if there is more than one thread.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../extern.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "abi/conflict.h"
#include "channel.h"

static const char all_descriptors; // its address is the object of every IO step

static long polled(struct pollfd *fds, unsigned long n) {
    struct timespec none = {0};
    return tslrt_sys5(SYS_ppoll, fds, n, &none, NULL, 8);
}

// Errors count as ready: the call itself will tell.
bool tslrt_io_ready(const tslrt_fiber *fiber) {
    const tslrt_io *io = fiber->io;
    struct pollfd copy[TSLRT_MAX_POLL];
    if (!io || io->n > TSLRT_MAX_POLL)
        return true;
    memcpy(copy, io->fds, io->n * sizeof *copy);
    return polled(copy, io->n) != 0;
}

// Pipes and local sockets carry what the program itself sends; the rest may hear from
// the world outside, or from a timer.
static bool is_outside(int fd) {
    struct stat st;
    int domain = AF_UNIX;
    socklen_t size = sizeof domain;
    if (fd < 0 || fstat(fd, &st) != 0 || S_ISFIFO(st.st_mode) || tslrt_channel_of(fd, false))
        return false;
    if (S_ISSOCK(st.st_mode))
        tslrt_sys5(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    return !S_ISSOCK(st.st_mode) || domain != AF_UNIX;
}

static bool is_inside(int fd) { return !is_outside(fd); }

bool tslrt_io_outside(const tslrt_fiber *f) {
    for (unsigned long i = 0; f->io && i < f->io->n; i++)
        if (is_outside(f->io->fds[i].fd) && !tslrt_channel_epoll(f->io->fds[i].fd, is_inside))
            return true;
    return false;
}

static bool is_channel(int fd) {
    struct stat st;
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD)
        return false;
    if (fstat(fd, &st) != 0)
        return tslrt_channel_of(fd, false) || tslrt_channel_of(fd, true);
    return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || (st.st_mode & S_IFMT) == 0;
}

static bool can_block(int fd) {
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0);
    return flags < 0 || !(flags & O_NONBLOCK); // a closed one fails at once, but as the same step
}

// Without `io` it does not wait.
static void step_on(unsigned kind, const void *object, tslrt_io *io, uint32_t site) {
    tslrt_fiber *self = SELF;
    tslrt_cancel_point();
    TSL_HOT->call_site = site;
    self->io = io;
    tslrt_cancellable_op(kind, object);
    self->io = NULL;
}

static void step(tslrt_io *io, uint32_t site) { step_on(TSL_EV_IO, &all_descriptors, io, site); }

bool tslrt_io_turn(uint32_t site) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return false;
    step(NULL, site);
    return true;
}

// A step on the channel behind a descriptor, or on all of them if nobody knows which it is.
static void step_on_descriptor(int fd, short events, bool waits, uint32_t site) {
    struct pollfd one = {.fd = fd, .events = events};
    tslrt_io io = {.fds = &one, .n = 1};
    tslrt_channel *c = tslrt_channel_of(fd, events == POLLOUT);
    if (c) {
        unsigned kind = !waits              ? TSL_EV_IO_TOUCH
                        : events == POLLOUT ? TSL_EV_IO_WRITE
                                            : TSL_EV_IO_READ;
        step_on(kind, tslrt_channel_name(c), waits ? &io : NULL, site);
        tslrt_also(c->watched ? TSL_EV_IO : TSL_EV_IO_PART, &all_descriptors, 0, 0);
        tslrt_channel_check(c);
    } else
        step(waits ? &io : NULL, site);
    SELF->used = c;
    SELF->used_fd = fd;
    tslrt_result(c ? (unsigned)fd << 2 : (unsigned)fd);
}

// A plain file or a device never waits, but who reads or writes first matters: its position, what it holds.  Not so for
// standard output, which nobody reads again.
static bool plain_turn(int fd, short events, uint32_t site) {
    bool output = (fd == 1 || fd == 2) && events == POLLOUT && !tslrt->redirects;
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return false;
    if (output) {
        TSL_HOT->call_site = site;
        tslrt_cancel_point();
        tslrt_call_step(site);
    } else {
        step(NULL, site);
        tslrt_also(TSL_EV_STATE, (const void *)(uintptr_t)(TSL_OBJECT_STATE + TSL_STATE_FILES),
                   events == POLLOUT ? TSL_ROLE_ADD : TSL_ROLE_READ, 0);
    }
    return true;
}

// Waits until one descriptor is ready, if waiting is what the call would do.  True if that
// was a step.
static bool wait_ready(int fd, short events, bool dont_wait) {
    uint32_t site = tslrt_take_site();
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (!is_channel(fd))
        return plain_turn(fd, events, site);
    step_on_descriptor(fd, events, !dont_wait && can_block(fd), site);
    return true;
}

// Whoever stands before a step on descriptors may be able to take it now, or no longer.
static void look_at_waiting(void) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        bool waits = f->pend.kind == TSL_EV_IO || f->pend.kind == TSL_EV_IO_READ ||
                     f->pend.kind == TSL_EV_IO_WRITE;
        if (waits && f != SELF && f->state == FIBER_LIVE)
            tslrt_set_enabled(f, tslrt_can_run(f));
    }
}

static long done(long got) {
    tslrt_fiber *self = SELF;
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD)
        ;
    else if (self->used)
        tslrt_result((unsigned)self->used_fd << 2 | tslrt_channel_look(self->used));
    if (tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD) {
        self->used = NULL;
        look_at_waiting();
    }
    if (got >= 0)
        return got;
    errno = (int)-got;
    return -1;
}

// What is read next, if it is of an input.
static tslrt_source source_of(int fd) {
    tslrt_source from = {.input = tslrt_outside_of(fd)};
    if (from.input >= 0)
        from.at = (uint64_t)tslrt_sys3(SYS_lseek, fd, 0, SEEK_CUR);
    return from;
}

static const tslrt_source elsewhere = {.input = -1};

static long done_reading(bool stepped, long got, void *to, tslrt_source from) {
    if (got > 0) {
        if (stepped)
            tslrt_also_range(TSL_EV_WRITE, to, (uint64_t)got);
        tslrt_wrote(to, (size_t)got);
        tslrt_heap_check((uintptr_t)to, (uint64_t)got, SELF->pend.site, TSL_EV_WRITE);
        tslrt_outside_read(from, to, (size_t)got);
    }
    return done(got);
}

static long done_writing(bool stepped, long got, const void *from) {
    if (stepped && got > 0)
        tslrt_call_reads(from, (uint64_t)got, SELF->pend.site);
    return done(got);
}

static long done_parts(bool stepped, unsigned kind, long got, const struct iovec *parts, size_t n,
                       tslrt_source from) {
    long left = got;
    for (size_t i = 0; i < n && left > 0; i++) {
        size_t part = (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
        if (stepped)
            tslrt_also_range(kind, parts[i].iov_base, part);
        if (kind == TSL_EV_WRITE) {
            tslrt_wrote(parts[i].iov_base, part);
            tslrt_outside_read(from, parts[i].iov_base, part);
        }
        from.at += part;
        left -= (long)part;
    }
    return done(got);
}

// Whom it came from was stored too.
static void came_from(bool stepped, const struct sockaddr *from, const socklen_t *length) {
    if (!from || !length)
        return;
    tslrt_wrote(from, *length);
    tslrt_wrote(length, sizeof *length);
    if (stepped) {
        tslrt_also_range(TSL_EV_WRITE, from, *length);
        tslrt_also(TSL_EV_WRITE, length, 0, 2);
    }
}

// ---------------------------------------------------------------- one descriptor

API ssize_t read(int fd, void *to, size_t n) {
    bool stepped = wait_ready(fd, POLLIN, false);
    tslrt_source from = source_of(fd);
    return done_reading(stepped, tslrt_sys3(SYS_read, fd, to, n), to, from);
}

// A place is given: never a pipe, so it never waits.
API ssize_t pread(int fd, void *to, size_t n, off_t at) {
    bool stepped = plain_turn(fd, POLLIN, tslrt_take_site());
    tslrt_source from = {tslrt_outside_of(fd), (uint64_t)at};
    return done_reading(stepped, tslrt_sys4(SYS_pread64, fd, to, n, at), to, from);
}

API ssize_t pread64(int fd, void *to, size_t n, off_t at) { return pread(fd, to, n, at); }

// Without waiting, whatever the descriptor says.
static long write_now(int fd, const void *from, size_t n) {
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0);
    if (flags & O_NONBLOCK)
        return tslrt_sys3(SYS_write, fd, from, n);
    tslrt_sys3(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    long got = tslrt_sys3(SYS_write, fd, from, n);
    tslrt_sys3(SYS_fcntl, fd, F_SETFL, flags);
    return got;
}

// More than a pipe takes at once: part by part, and between two parts others run.
static ssize_t write_parts(int fd, const char *from, size_t n) {
    size_t at = 0;
    while (at < n) {
        bool stepped = wait_ready(fd, POLLOUT, false);
        long got = write_now(fd, from + at, n - at);
        if (got == -EAGAIN) // ready, but not for as much: the rest comes by single bytes
            got = write_now(fd, from + at, 1);
        long told = done_writing(stepped, got == -EAGAIN ? 0 : got, from + at);
        if (told < 0)
            return at ? (ssize_t)at : told;
        at += (size_t)told;
    }
    return (ssize_t)n;
}

API ssize_t write(int fd, const void *from, size_t n) {
    if (n > PIPE_BUF && is_channel(fd) && can_block(fd)) {
        uint32_t site = tslrt_take_site();
        TSL_HOT->call_site = site;
        return write_parts(fd, from, n);
    }
    bool stepped = wait_ready(fd, POLLOUT, false);
    return done_writing(stepped, tslrt_sys3(SYS_write, fd, from, n), from);
}

API ssize_t recv(int fd, void *to, size_t n, int flags) {
    bool stepped = wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got = tslrt_sys6(SYS_recvfrom, fd, (long)to, (long)n, flags, 0, 0);
    return done_reading(stepped, got, to, elsewhere);
}

API ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *restrict from,
                     socklen_t *restrict length) {
    bool stepped = wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got = tslrt_sys6(SYS_recvfrom, fd, (long)to, (long)n, flags, (long)from, (long)length);
    if (got >= 0)
        came_from(stepped, from, length);
    return done_reading(stepped, got, to, elsewhere);
}

API ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    bool stepped = wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got = tslrt_sys3(SYS_recvmsg, fd, message, flags);
    return done_parts(stepped, TSL_EV_WRITE, got, message->msg_iov, message->msg_iovlen, elsewhere);
}

API ssize_t send(int fd, const void *from, size_t n, int flags) {
    bool stepped = wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    return done_writing(stepped, tslrt_sys6(SYS_sendto, fd, (long)from, (long)n, flags, 0, 0),
                        from);
}

API ssize_t sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
                   socklen_t length) {
    bool stepped = wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    long got = tslrt_sys6(SYS_sendto, fd, (long)from, (long)n, flags, (long)to, length);
    return done_writing(stepped, got, from);
}

API ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    bool stepped = wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    long got = tslrt_sys3(SYS_sendmsg, fd, message, flags);
    return done_parts(stepped, TSL_EV_READ, got, message->msg_iov, message->msg_iovlen, elsewhere);
}

API ssize_t readv(int fd, const struct iovec *parts, int n) {
    bool stepped = wait_ready(fd, POLLIN, false);
    tslrt_source from = source_of(fd);
    long got = tslrt_sys3(SYS_readv, fd, parts, n);
    return done_parts(stepped, TSL_EV_WRITE, got, parts, (size_t)n, from);
}

API ssize_t writev(int fd, const struct iovec *parts, int n) {
    bool stepped = wait_ready(fd, POLLOUT, false);
    long got = tslrt_sys3(SYS_writev, fd, parts, n);
    return done_parts(stepped, TSL_EV_READ, got, parts, (size_t)n, elsewhere);
}

API int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length, int flags) {
    bool stepped = wait_ready(fd, POLLIN, false);
    long got = tslrt_sys4(SYS_accept4, fd, from, length, flags);
    if (got >= 0)
        came_from(stepped, from, length);
    return (int)done(got);
}

API int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length) {
    return accept4(fd, from, length, 0);
}

// Closing may be what somebody waits for: the other end of a pipe.
// That changes both directions of a socket; the second one is told once it has happened.
static long done_both(tslrt_channel *other, long got) {
    if (other)
        tslrt_also(TSL_EV_IO_TOUCH, tslrt_channel_name(other), tslrt_channel_look(other), 0);
    return done(got);
}

// What is written to through the descriptor, if what is read from is another channel.
static tslrt_channel *other_channel(int fd) {
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD)
        return NULL;
    tslrt_channel *in = tslrt_channel_of(fd, false), *out = tslrt_channel_of(fd, true);
    return in && in != out ? out : NULL;
}

API int close(int fd) {
    tslrt_channel *other = other_channel(fd);
    wait_ready(fd, 0, true);
    return (int)done_both(other, tslrt_sys1(SYS_close, fd));
}

API int shutdown(int fd, int how) {
    tslrt_channel *other = other_channel(fd);
    wait_ready(fd, 0, true);
    return (int)done_both(other, tslrt_sys2(SYS_shutdown, fd, how));
}

// ---------------------------------------------------------------- new descriptors

static bool is_controlled(void) { return tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD; }

// Which number a descriptor gets depends on who asked before.
static void begin_descriptors(void) {
    uint32_t site = tslrt_take_site();
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (is_controlled())
        tslrt_io_turn(site);
}

API int pipe2(int fds[2], int flags) {
    begin_descriptors();
    long got = tslrt_sys2(SYS_pipe2, fds, flags);
    if (got == 0) {
        tslrt_wrote(fds, 2 * sizeof *fds);
        if (is_controlled()) {
            tslrt_also_range(TSL_EV_WRITE, fds, 2 * sizeof *fds);
            tslrt_channel_made(fds[0], fds[1]);
        }
    }
    return (int)done(got);
}

API int pipe(int fds[2]) { return pipe2(fds, 0); }

API int socketpair(int domain, int type, int protocol, int fds[2]) {
    begin_descriptors();
    long got = tslrt_sys4(SYS_socketpair, domain, type, protocol, fds);
    if (got == 0) {
        tslrt_wrote(fds, 2 * sizeof *fds);
        if (is_controlled()) {
            tslrt_also_range(TSL_EV_WRITE, fds, 2 * sizeof *fds);
            tslrt_channel_made(fds[0], fds[1]);
            tslrt_channel_made(fds[1], fds[0]);
        }
    }
    return (int)done(got);
}

// What it starts with is its first use, should that be more than nothing.
API int eventfd(unsigned first, int flags) {
    uint32_t site = TSL_HOT->call_site;
    begin_descriptors();
    long got = tslrt_sys2(SYS_eventfd2, first, flags);
    tslrt_channel *c = got >= 0 && is_controlled() ? tslrt_channel_made_event((int)got) : NULL;
    if (c && first) {
        step_on(TSL_EV_IO_TOUCH, tslrt_channel_name(c), NULL, site);
        tslrt_result((unsigned)got << 2 | tslrt_channel_look(c));
    }
    return (int)done(got);
}

API int dup(int fd) {
    begin_descriptors();
    long got = tslrt_sys1(SYS_dup, fd);
    tslrt_channel_copied(fd, (int)got);
    return (int)done(got);
}

API int dup3(int fd, int to, int flags) {
    begin_descriptors();
    long got = tslrt_sys3(SYS_dup3, fd, to, flags);
    if (got >= 0)
        tslrt_channel_copied(fd, to);
    return (int)done(got);
}

// As dup3, but a descriptor may be itself.
API int dup2(int fd, int to) {
    if (fd != to)
        return dup3(fd, to, 0);
    begin_descriptors();
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFD, 0);
    return (int)done(flags < 0 ? flags : to);
}

// Whether a call waits is decided when a thread comes to it, so others that stand before one are in doubt.
static void set_blocking(int fd, long before, long flags) {
    if (((before ^ flags) & O_NONBLOCK) && RUN->nlive > 1 && is_channel(fd))
        tslrt_weaken(TSL_REASON_UNCONTROLLED, "whether a pipe or socket blocks was changed while "
                                              "other threads may have stood before a call");
}

static int control(int fd, int command, long arg) {
    uint32_t site = tslrt_take_site();
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    bool controlled = is_controlled(), stepped = controlled && tslrt_io_turn(site);
    long before = command == F_SETFL ? tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0) : 0;
    long got = tslrt_sys3(SYS_fcntl, fd, command, arg);
    bool is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    bool asks = command == F_GETLK || command == F_OFD_GETLK;
    if (got >= 0 && is_copy)
        tslrt_channel_copied(fd, (int)got);
    if (got >= 0 && command == F_SETFL && controlled)
        set_blocking(fd, before, arg);
    if (got >= 0 && asks) {
        tslrt_wrote((void *)arg, sizeof(struct flock));
        if (stepped)
            tslrt_also_range(TSL_EV_WRITE, (void *)arg, sizeof(struct flock));
    }
    return (int)done(got);
}

API int fcntl(int fd, int command, ...) {
    va_list args;
    va_start(args, command);
    long arg = va_arg(args, long);
    va_end(args);
    return control(fd, command, arg);
}

API int fcntl64(int fd, int command, ...) {
    va_list args;
    va_start(args, command);
    long arg = va_arg(args, long);
    va_end(args);
    return control(fd, command, arg);
}

API int eventfd_read(int fd, eventfd_t *value) {
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

API int eventfd_write(int fd, eventfd_t value) {
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

// ---------------------------------------------------------------- several descriptors

// Waits for any of them.  With a time limit the step can always be taken: nothing
// ready then means that the time was up.
static void wait_any(struct pollfd *fds, unsigned long n, bool forever) {
    uint32_t site = tslrt_take_site();
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (n > TSLRT_MAX_POLL)
        tslrt_say("poll of more than %u descriptors: while it waits, no thread runs",
                  TSLRT_MAX_POLL);
    tslrt_io io = {.fds = fds, .n = n};
    bool one = n == 1 && (fds->events == POLLIN || fds->events == POLLOUT) &&
               tslrt_channel_of(fds->fd, fds->events == POLLOUT);
    if (one)
        step_on_descriptor(fds->fd, fds->events, forever, site);
    else if (n > 0)
        step(forever ? &io : NULL, site);
    else {
        TSL_HOT->call_site = site;
        tslrt_op(TSL_EV_SLEEP, NULL);
    }
}

static void pass_time(int64_t ns) {
    tslrt_clock_pass((uint64_t)ns);
    tslrt_yielded();
}

static int poll_for(struct pollfd *fds, nfds_t n, int64_t ns) {
    bool controlled = tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD;
    if (controlled)
        wait_any(fds, n, ns < 0 && n > 0);
    bool asks_kernel = n > TSLRT_MAX_POLL && ns < 0;
    long got = asks_kernel ? tslrt_sys5(SYS_ppoll, fds, n, NULL, NULL, 8) : polled(fds, n);
    tslrt_wrote(fds, n * sizeof *fds);
    if (controlled)
        tslrt_also_range(TSL_EV_WRITE, fds, n * sizeof *fds);
    if (got == 0 && ns > 0)
        pass_time(ns);
    return (int)done(got);
}

API int poll(struct pollfd *fds, nfds_t n, int ms) {
    return poll_for(fds, n, ms < 0 ? -1 : ms * 1000000ll);
}

API int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask) {
    (void)mask;
    return poll_for(fds, n, time ? time->tv_sec * 1000000000ll + time->tv_nsec : -1);
}

static unsigned long to_pollfds(struct pollfd *out, int n, const fd_set *reads,
                                const fd_set *writes, const fd_set *errors) {
    unsigned long count = 0;
    for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++) {
        short events = (short)((reads && FD_ISSET(fd, reads) ? POLLIN : 0) |
                               (writes && FD_ISSET(fd, writes) ? POLLOUT : 0) |
                               (errors && FD_ISSET(fd, errors) ? POLLPRI : 0));
        if (events)
            out[count++] = (struct pollfd){.fd = fd, .events = events};
    }
    return count;
}

static int select_for(int n, fd_set *reads, fd_set *writes, fd_set *errors, int64_t ns) {
    struct pollfd fds[FD_SETSIZE];
    unsigned long count = to_pollfds(fds, n, reads, writes, errors);
    wait_any(fds, count, ns < 0 && count > 0);
    struct timespec none = {0};
    bool asks_kernel = count > TSLRT_MAX_POLL && ns < 0;
    long got = tslrt_sys6(SYS_pselect6, n, (long)reads, (long)writes, (long)errors,
                          asks_kernel ? 0 : (long)&none, 0);
    fd_set *const sets[] = {reads, writes, errors};
    for (unsigned i = 0; i < 3; i++)
        if (sets[i]) {
            tslrt_wrote(sets[i], sizeof *sets[i]);
            tslrt_also_range(TSL_EV_WRITE, sets[i], sizeof *sets[i]);
        }
    if (got == 0 && ns > 0)
        pass_time(ns);
    return (int)done(got);
}

API int select(int n, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *tv) {
    return select_for(n, reads, writes, errors,
                      tv ? tv->tv_sec * 1000000000ll + tv->tv_usec * 1000ll : -1);
}

API int pselect(int n, fd_set *reads, fd_set *writes, fd_set *errors, const struct timespec *time,
                const sigset_t *mask) {
    (void)mask;
    return select_for(n, reads, writes, errors,
                      time ? time->tv_sec * 1000000000ll + time->tv_nsec : -1);
}

static int epoll_for(int epoll, struct epoll_event *events, int most, int ms) {
    struct pollfd one = {.fd = epoll, .events = POLLIN};
    wait_any(&one, 1, ms < 0);
    long got = tslrt_sys6(SYS_epoll_pwait, epoll, (long)events, most, 0, 0, 8);
    if (got > 0) {
        tslrt_wrote(events, (size_t)got * sizeof *events);
        tslrt_also_range(TSL_EV_WRITE, events, (size_t)got * sizeof *events);
    }
    if (got == 0 && ms > 0)
        pass_time(ms * 1000000ll);
    return (int)done(got);
}

API int epoll_ctl(int epoll, int op, int fd, struct epoll_event *event) {
    uint32_t site = tslrt_take_site();
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    bool stepped = is_controlled() && tslrt_io_turn(site);
    long got = tslrt_sys4(SYS_epoll_ctl, epoll, op, fd, event);
    if (stepped && event && op != EPOLL_CTL_DEL)
        tslrt_call_reads(event, sizeof *event, site);
    if (got == 0 && is_controlled())
        tslrt_channel_watched(fd);
    return (int)done(got);
}

API int epoll_wait(int epoll, struct epoll_event *events, int most, int ms) {
    return epoll_for(epoll, events, most, ms);
}

API int epoll_pwait(int epoll, struct epoll_event *events, int most, int ms, const sigset_t *mask) {
    (void)mask;
    return epoll_for(epoll, events, most, ms);
}
