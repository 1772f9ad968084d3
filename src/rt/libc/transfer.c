// Reading and writing one descriptor: each call is a step, and tells what it reads and writes.
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../notes.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"

// Where the next byte of the descriptor comes from, if that is an input.
static tslrt_source source_of(int fd) {
    tslrt_source from = {.input = tslrt_outside_of(fd)};
    if (from.input >= 0)
        from.at = (uint64_t)tslrt_sys3(SYS_lseek, fd, 0, SEEK_CUR);
    return from;
}

static const tslrt_source elsewhere = {.input = -1};

static void done_part(bool stepped, void *to, size_t n, tslrt_source from) {
    if (stepped)
        tslrt_also_range(TSL_EV_WRITE, to, n);
    tslrt_wrote(to, n);
    tslrt_heap_check_also((uintptr_t)to, n, SELF->pend.site, TSL_EV_WRITE);
    tslrt_outside_read(from, to, n);
}

static long done_reading(bool stepped, long got, void *to, tslrt_source from) {
    if (got > 0)
        done_part(stepped, to, (size_t)got, from);
    return io_done(got);
}

static long done_writing(bool stepped, int fd, long got, const void *from) {
    if (stepped && got > 0)
        tslrt_call_follows(from, (uint64_t)got, SELF->pend.site);
    if (got > 0 && fd != 1 && fd != 2) // tslrt_symbols_back handles standard output itself
        tslrt_symbols_leave(from, (uint64_t)got);
    return io_done(got);
}

// Parts are told in the order in which they are filled or emptied.  The list itself is read.
static long done_parts(bool stepped, unsigned kind, long got, const struct iovec *parts, size_t n,
                       tslrt_source from) {
    uint32_t site = SELF->pend.site;
    long left = got;
    if (stepped)
        tslrt_call_reads(parts, n * sizeof *parts, site);
    for (size_t i = 0; i < n && left > 0; i++) {
        size_t part = (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
        if (kind == TSL_EV_WRITE)
            done_part(stepped, parts[i].iov_base, part, from);
        else if (stepped)
            tslrt_call_follows(parts[i].iov_base, part, site);
        if (kind != TSL_EV_WRITE)
            tslrt_symbols_leave(parts[i].iov_base, part);
        from.at += part;
        left -= (long)part;
    }
    return io_done(got);
}

static void came_from(bool stepped, const struct sockaddr *from, const socklen_t *length) {
    if (!from || !length)
        return;
    tslrt_wrote(from, *length);
    tslrt_wrote(length, sizeof *length);
    tslrt_varies_address(from, *length, SELF->pend.site);
    if (stepped) {
        tslrt_also_range(TSL_EV_WRITE, from, *length);
        tslrt_also(TSL_EV_WRITE, length, 0, 2);
    }
}

// ---------------------------------------------------------------- one descriptor

API ssize_t read(int fd, void *to, size_t n) {
    bool stepped = io_wait_ready(fd, POLLIN, false);
    tslrt_source from = source_of(fd);
    long got = IO_CALL(tslrt_sys3(SYS_read, fd, to, n));
    if (got > 0 && RUN->signal.fds)
        tslrt_signalfd_read(fd, to, (size_t)got);
    return done_reading(stepped, got, to, from);
}

// A descriptor with a position is no pipe, so this never waits.
API ssize_t pread(int fd, void *to, size_t n, off_t at) {
    bool stepped = io_plain_turn(fd, POLLIN, tslrt_take_site());
    tslrt_source from = {tslrt_outside_of(fd), (uint64_t)at};
    return done_reading(stepped, tslrt_sys4(SYS_pread64, fd, to, n, at), to, from);
}

API ssize_t pread64(int fd, void *to, size_t n, off_t at) { return pread(fd, to, n, at); }

// Writes without waiting, even if the descriptor is in blocking mode.
static long write_now(int fd, const void *from, size_t n) {
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0);
    if (flags & O_NONBLOCK)
        return tslrt_sys3(SYS_write, fd, from, n);
    tslrt_sys3(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    long got = tslrt_sys3(SYS_write, fd, from, n);
    tslrt_sys3(SYS_fcntl, fd, F_SETFL, flags);
    return got;
}

// Writes more than a pipe takes at once, in parts, between which other threads run.
static ssize_t write_parts(int fd, const char *from, size_t n) {
    uint32_t site = TSL_HOT->call_site;
    size_t at = 0;
    while (at < n) {
        TSL_HOT->call_site = site; // each step takes it
        bool stepped = io_wait_ready(fd, POLLOUT, false);
        long got = IO_CALL(write_now(fd, from + at, n - at));
        if (got == -EAGAIN) // there is room, but not for as much: goes on by single bytes
            got = write_now(fd, from + at, 1);
        long told = done_writing(stepped, fd, got == -EAGAIN ? 0 : got, from + at);
        if (told < 0)
            return at ? (ssize_t)at : told;
        at += (size_t)told;
    }
    return (ssize_t)n;
}

API ssize_t write(int fd, const void *from, size_t n) {
    if (n > PIPE_BUF && io_is_channel(fd) && io_can_block(fd))
        return write_parts(fd, from, n);
    bool stepped = io_wait_ready(fd, POLLOUT, false);
    return done_writing(stepped, fd, IO_CALL(tslrt_sys3(SYS_write, fd, from, n)), from);
}

API ssize_t recv(int fd, void *to, size_t n, int flags) {
    bool stepped = io_wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got = IO_CALL(tslrt_sys6(SYS_recvfrom, fd, (long)to, (long)n, flags, 0, 0));
    return done_reading(stepped, got, to, elsewhere);
}

API ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *restrict from,
                     socklen_t *restrict length) {
    bool stepped = io_wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got =
        IO_CALL(tslrt_sys6(SYS_recvfrom, fd, (long)to, (long)n, flags, (long)from, (long)length));
    if (got >= 0)
        came_from(stepped, from, length);
    return done_reading(stepped, got, to, elsewhere);
}

// The message, its address and its control data.
static void done_message(bool stepped, unsigned kind, const struct msghdr *message) {
    if (kind == TSL_EV_WRITE)
        tslrt_varies_message(message, SELF->pend.site);
    else
        tslrt_symbols_leave(message->msg_control, message->msg_controllen);
    if (!stepped)
        return;
    uint32_t site = SELF->pend.site;
    tslrt_teller *tell = kind == TSL_EV_WRITE ? tslrt_call_writes : tslrt_call_follows;
    tell(message, sizeof *message, site);
    tell(message->msg_name, message->msg_namelen, site);
    tell(message->msg_control, message->msg_controllen, site);
}

API ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    bool stepped = io_wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got = IO_CALL(tslrt_sys3(SYS_recvmsg, fd, message, flags));
    if (got >= 0)
        done_message(stepped, TSL_EV_WRITE, message);
    return done_parts(stepped, TSL_EV_WRITE, got, message->msg_iov, message->msg_iovlen, elsewhere);
}

static int done_messages(bool stepped, unsigned kind, long got, struct mmsghdr *messages) {
    for (long i = 0; i < got; i++) {
        struct msghdr *message = &messages[i].msg_hdr;
        done_message(stepped, kind, message);
        if (stepped)
            tslrt_call_writes(&messages[i].msg_len, sizeof messages[i].msg_len, SELF->pend.site);
        done_parts(stepped, kind, messages[i].msg_len, message->msg_iov, message->msg_iovlen,
                   elsewhere);
    }
    return (int)io_done(got);
}

// Returns the messages that are there with the first one, and does not wait for more.
API int recvmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags, struct timespec *time) {
    bool stepped = io_wait_ready(fd, POLLIN, flags & MSG_DONTWAIT);
    long got = IO_CALL(tslrt_sys5(SYS_recvmmsg, fd, messages, n, flags | MSG_WAITFORONE, NULL));
    if (stepped)
        tslrt_call_reads(time, sizeof *time, SELF->pend.site);
    return done_messages(stepped, TSL_EV_WRITE, got, messages);
}

API int sendmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags) {
    bool stepped = io_wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    long got = IO_CALL(tslrt_sys4(SYS_sendmmsg, fd, messages, n, flags));
    return done_messages(stepped, TSL_EV_READ, got, messages);
}

API ssize_t send(int fd, const void *from, size_t n, int flags) {
    bool stepped = io_wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    return done_writing(
        stepped, fd, IO_CALL(tslrt_sys6(SYS_sendto, fd, (long)from, (long)n, flags, 0, 0)), from);
}

API ssize_t sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
                   socklen_t length) {
    bool stepped = io_wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    long got = IO_CALL(tslrt_sys6(SYS_sendto, fd, (long)from, (long)n, flags, (long)to, length));
    if (stepped)
        tslrt_call_reads(to, length, SELF->pend.site);
    return done_writing(stepped, fd, got, from);
}

API ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    bool stepped = io_wait_ready(fd, POLLOUT, flags & MSG_DONTWAIT);
    long got = IO_CALL(tslrt_sys3(SYS_sendmsg, fd, message, flags));
    done_message(stepped, TSL_EV_READ, message);
    return done_parts(stepped, TSL_EV_READ, got, message->msg_iov, message->msg_iovlen, elsewhere);
}

API ssize_t readv(int fd, const struct iovec *parts, int n) {
    bool stepped = io_wait_ready(fd, POLLIN, false);
    tslrt_source from = source_of(fd);
    long got = IO_CALL(tslrt_sys3(SYS_readv, fd, parts, n));
    return done_parts(stepped, TSL_EV_WRITE, got, parts, (size_t)n, from);
}

API ssize_t writev(int fd, const struct iovec *parts, int n) {
    bool stepped = io_wait_ready(fd, POLLOUT, false);
    long got = IO_CALL(tslrt_sys3(SYS_writev, fd, parts, n));
    return done_parts(stepped, TSL_EV_READ, got, parts, (size_t)n, elsewhere);
}

// Descriptors with a position are no pipes, so these never wait.
API ssize_t preadv(int fd, const struct iovec *parts, int n, off_t at) {
    bool stepped = io_plain_turn(fd, POLLIN, tslrt_take_site());
    tslrt_source from = {tslrt_outside_of(fd), (uint64_t)at};
    long got = tslrt_sys5(SYS_preadv, fd, parts, n, at, 0);
    return done_parts(stepped, TSL_EV_WRITE, got, parts, (size_t)n, from);
}

API ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at) {
    bool stepped = io_plain_turn(fd, POLLOUT, tslrt_take_site());
    long got = tslrt_sys5(SYS_pwritev, fd, parts, n, at, 0);
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    return done_parts(stepped, TSL_EV_READ, got, parts, (size_t)n, elsewhere);
}

API ssize_t preadv64(int fd, const struct iovec *parts, int n, off_t at) {
    return preadv(fd, parts, n, at);
}

API ssize_t pwritev64(int fd, const struct iovec *parts, int n, off_t at) {
    return pwritev(fd, parts, n, at);
}

API int eventfd_read(int fd, eventfd_t *to) {
    return read(fd, to, sizeof *to) == sizeof *to ? 0 : -1;
}

API int eventfd_write(int fd, eventfd_t value) {
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

API int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length, int flags) {
    bool stepped = io_wait_ready(fd, POLLIN, false);
    long got = IO_CALL(tslrt_sys4(SYS_accept4, fd, from, length, flags));
    if (got >= 0)
        came_from(stepped, from, length);
    return (int)io_done(got);
}

API int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length) {
    return accept4(fd, from, length, 0);
}

// A thread may wait for the other end of a pipe or socket to be closed.  Closing a socket changes
// both directions; the second one is recorded after the call.
static long done_both(tslrt_channel *other, long got) {
    io_also_touch(other);
    return io_done(got);
}

// The channel that is written to through the descriptor, if another one is read from.
static tslrt_channel *other_channel(int fd) {
    if (!io_is_controlled())
        return NULL;
    tslrt_channel *in = tslrt_channel_of(fd, false), *out = tslrt_channel_of(fd, true);
    return in && in != out ? out : NULL;
}

API int close(int fd) {
    tslrt_channel *other = other_channel(fd);
    io_wait_ready(fd, 0, true);
    tslrt_closing closing = tslrt_flock_closing(fd, SELF ? SELF->pend.site : 0);
    long got = tslrt_sys1(SYS_close, fd);
    tslrt_flock_closed(&closing);
    return (int)done_both(other, got);
}

API int shutdown(int fd, int how) {
    tslrt_channel *other = other_channel(fd);
    io_wait_ready(fd, 0, true);
    return (int)done_both(other, tslrt_sys2(SYS_shutdown, fd, how));
}
