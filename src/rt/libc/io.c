// Descriptors that can block: pipes, sockets, event descriptors.
//
// A blocking call is a step that is enabled once the kernel says that the descriptor is ready;
// until then other threads run.  So the schedule alone decides what threads of the program receive
// from each other.  Steps are on the object of their channel if that is known (channel.c), else on
// one object for all descriptors, because the order of reads and writes matters.
//
// A call that does not wait (because it is told not to, or because it only closes) is a step, too,
// as its result depends on other threads; it is always enabled.
//
// Plain files and terminals never wait.  Using them is a step if there are several threads.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "../notes.h"
#include "../quick.h"
#include "../sys.h"
#include "io.h"

static const char all_descriptors; // its address is the object of steps on unknown channels

bool io_is_controlled(void) { return tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD; }

long io_polled(struct pollfd *fds, unsigned long n) {
    struct timespec none = {0};
    return tslrt_sys5(SYS_ppoll, fds, n, &none, NULL, 8);
}

bool io_is_ready(int fd, short events) {
    struct pollfd one = {.fd = fd, .events = events};
    return io_polled(&one, 1) != 0;
}

// Errors count as ready: the call itself will return them.
bool tslrt_io_ready(const tslrt_fiber *fiber) {
    const tslrt_io *io = fiber->io.wait;
    struct pollfd copy[TSLRT_MAX_POLL];
    if (!io || io->n > TSLRT_MAX_POLL)
        return true;
    if (fiber->signal.suspended &&
        fiber->interrupt.handled) // a signal that the mask of the call let through
        return true;
    if (io->ready)
        return io->ready(io->about);
    memcpy(copy, io->fds, io->n * sizeof *copy);
    return io_polled(copy, io->n) != 0;
}

// Is this a terminal that the program made itself (openpty)?  Standard input is never waited for.
static bool is_terminal(int fd, const struct stat *st) {
    enum { MASTER = 5, SLAVE_FIRST = 136, SLAVE_LAST = 143 };
    unsigned number = major(st->st_rdev);
    return fd > 2 && (number == MASTER || (number >= SLAVE_FIRST && number <= SLAVE_LAST));
}

bool io_is_channel(int fd) {
    struct stat st;
    if (!io_is_controlled())
        return false;
    if (fstat(fd, &st) != 0)
        return tslrt_channel_of(fd, false) || tslrt_channel_of(fd, true);
    return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || (st.st_mode & S_IFMT) == 0 ||
           (S_ISCHR(st.st_mode) && is_terminal(fd, &st));
}

bool io_can_block(int fd) {
    if (fd < 0) // would never be ready
        return false;
    long flags = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0);
    return flags < 0 || !(flags & O_NONBLOCK); // if closed it fails, but the step is the same
}

static void step_on(unsigned kind, const void *object, tslrt_io *io, uint32_t site) {
    tslrt_fiber *self = SELF;
    tslrt_cancel_point();
    TSL_HOT->call_site = site;
    self->io.wait = io;
    tslrt_cancellable_op(kind, object);
    if (io && self->signal.suspended && self->interrupt.handled) {
        self->signal.suspended = false;
        self->interrupt.refused = !tslrt_io_ready(self);
        self->signal.suspended = true;
    }
    self->io.wait = NULL;
}

bool io_was_interrupted(void) {
    bool was = io_is_controlled() && SELF->interrupt.refused;
    if (was)
        SELF->interrupt.refused = false;
    return was;
}

void io_step(tslrt_io *io, uint32_t site) { step_on(TSL_EV_IO, &all_descriptors, io, site); }

bool tslrt_io_turn(uint32_t site) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return false;
    io_step(NULL, site);
    return true;
}

void io_step_on_channel(tslrt_channel *c, unsigned kind, tslrt_io *io, uint32_t site) {
    step_on(kind, tslrt_channel_name(c), io, site);
    tslrt_also(c->watched ? TSL_EV_IO : TSL_EV_IO_PART, &all_descriptors, 0, 0);
    tslrt_channel_check(c);
    SELF->io.channel = c;
    SELF->io.fd = 0;
}

void io_touch(tslrt_channel *c, int fd, uint32_t site) {
    step_on(TSL_EV_IO_TOUCH, tslrt_channel_name(c), NULL, site);
    tslrt_result((unsigned)fd << 2 | tslrt_channel_look(c));
}

void io_also_touch(tslrt_channel *c) {
    if (c)
        tslrt_also(TSL_EV_IO_TOUCH, tslrt_channel_name(c), tslrt_channel_look(c), 0);
}

void io_touched(tslrt_channel *c, int fd, uint32_t site) {
    if (c && TSL_HOT->recording == TSL_RECORD_NOTHING)
        io_touch(c, fd, site);
    else
        io_also_touch(c);
}

void io_step_on_descriptor(int fd, short events, bool waits, bool ends, uint32_t site) {
    struct pollfd one = {.fd = fd, .events = events};
    tslrt_io io = {.fds = &one, .n = 1, .ends = ends};
    tslrt_channel *c = tslrt_channel_of(fd, events == POLLOUT);
    if (c) {
        unsigned kind = !waits              ? TSL_EV_IO_TOUCH
                        : events == POLLOUT ? TSL_EV_IO_WRITE
                                            : TSL_EV_IO_READ;
        io_step_on_channel(c, kind, waits ? &io : NULL, site);
    } else
        io_step(waits ? &io : NULL, site);
    SELF->io.channel = c;
    SELF->io.fd = fd;
    tslrt_result(c ? (unsigned)fd << 2 : (unsigned)fd);
}

// Plain files and devices never wait, but the order of reads and writes matters for the position
// and the contents.  It does not matter for standard output, which is never read again.
bool io_plain_turn(int fd, short events, uint32_t site) {
    bool output = (fd == 1 || fd == 2) && events == POLLOUT && !tslrt->hidden.redirects;
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return false;
    if (output) {
        TSL_HOT->call_site = site;
        tslrt_cancel_point();
        tslrt_call_step(site);
    } else {
        io_step(NULL, site);
        tslrt_mapping_used(fd);
        tslrt_call_uses(TSL_STATE_FILES, events == POLLOUT ? TSL_ROLE_ADD : TSL_ROLE_READ);
    }
    return true;
}

bool io_wait_ready(int fd, short events, bool dont_wait) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    if (!io_is_channel(fd))
        return io_plain_turn(fd, events, site);
    io_step_on_descriptor(fd, events, !dont_wait && io_can_block(fd), false, site);
    return true;
}

// Threads that stand before a step on descriptors may have become enabled, or disabled.
static void look_at_waiting(void) {
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->threads.fibers[i]);
        bool waits = f->pend.kind == TSL_EV_IO || f->pend.kind == TSL_EV_IO_READ ||
                     f->pend.kind == TSL_EV_IO_WRITE;
        if (waits && f != SELF && f->state == FIBER_LIVE)
            tslrt_set_enabled(f, tslrt_can_run(f));
    }
}

long io_done(long got) {
    tslrt_fiber *self = SELF;
    if (io_is_controlled()) {
        if (self->io.channel)
            tslrt_result((unsigned)self->io.fd << 2 | tslrt_channel_look(self->io.channel));
        self->io.channel = NULL;
        look_at_waiting();
    }
    return tslrt_returned(got);
}
