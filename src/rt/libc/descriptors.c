// Functions that make descriptors: pipes, pairs of sockets, copies.  The number of a new descriptor
// depends on the calls before, so each is a step on the object that stands for all descriptors.
#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../notes.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"

static void begin_descriptors(void) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    if (io_is_controlled())
        tslrt_io_turn(site);
}

// Two descriptors were made: what is written to the second is read from the first, and if they are
// sockets the other way, too.
static int done_pair(long got, int fds[2], bool sockets) {
    if (got == 0) {
        tslrt_wrote(fds, 2 * sizeof *fds);
        if (io_is_controlled()) {
            tslrt_also_range(TSL_EV_WRITE, fds, 2 * sizeof *fds);
            tslrt_channel_made(fds[0], fds[1]);
            if (sockets)
                tslrt_channel_made(fds[1], fds[0]);
        }
    }
    return (int)io_done(got);
}

API int pipe2(int fds[2], int flags) {
    begin_descriptors();
    return done_pair(tslrt_sys2(SYS_pipe2, fds, flags), fds, false);
}

API int pipe(int fds[2]) { return pipe2(fds, 0); }

API int socketpair(int domain, int type, int protocol, int fds[2]) {
    begin_descriptors();
    return done_pair(tslrt_sys4(SYS_socketpair, domain, type, protocol, fds), fds, true);
}

// A first value above 0 counts as a first use of the channel.
API int eventfd(unsigned first, int flags) {
    uint32_t site = TSL_HOT->call_site;
    begin_descriptors();
    long got = tslrt_sys2(SYS_eventfd2, first, flags);
    tslrt_channel *c = got >= 0 && io_is_controlled() ? tslrt_channel_made_event((int)got) : NULL;
    if (c && first)
        io_touch(c, (int)got, site);
    return (int)io_done(got);
}

API int dup(int fd) {
    begin_descriptors();
    long got = tslrt_sys1(SYS_dup, fd);
    tslrt_channel_copied(fd, (int)got);
    return (int)io_done(got);
}

API int dup3(int fd, int to, int flags) {
    begin_descriptors();
    tslrt_closing closing = tslrt_flock_closing(to, SELF ? SELF->pend.site : 0);
    long got = tslrt_sys3(SYS_dup3, fd, to, flags);
    tslrt_flock_closed(&closing);
    if (got >= 0)
        tslrt_channel_copied(fd, to);
    return (int)io_done(got);
}

// Like dup3, but both descriptors may be the same.
API int dup2(int fd, int to) {
    if (fd != to)
        return dup3(fd, to, 0);
    begin_descriptors();
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFD, 0);
    return (int)io_done(flags < 0 ? flags : to);
}

// Whether a call waits is decided when its thread comes to it, perhaps before this change.
static void set_blocking(int fd, long before, long flags) {
    if (((before ^ flags) & O_NONBLOCK) && RUN->count.live > 1 && io_is_channel(fd))
        tslrt_weaken(TSL_REASON_UNCONTROLLED, "whether a pipe or socket blocks was changed while "
                                              "other threads may have stood before a call");
}

static int control(int fd, int command, long arg) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    if (tslrt_is_record_lock(command))
        return tslrt_lock_record(fd, command, (struct flock *)arg, site);
    bool controlled = io_is_controlled();
    if (controlled)
        tslrt_io_turn(site);
    long before = command == F_SETFL ? tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0) : 0;
    long got = tslrt_sys3(SYS_fcntl, fd, command, arg);
    bool is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (got >= 0 && is_copy)
        tslrt_channel_copied(fd, (int)got);
    if (got >= 0 && command == F_SETFL && controlled)
        set_blocking(fd, before, arg);
    return (int)io_done(got);
}

API int fcntl(int fd, int command, ...) {
    va_list args;
    va_start(args, command);
    long arg = va_arg(args, long);
    va_end(args);
    return control(fd, command, arg);
}

API int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
