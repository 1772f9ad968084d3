// Which pipe or socket is behind a descriptor, and would using it block?
//
// A channel carries bytes in one direction: a pipe is one, a pair of sockets two.  Descriptors come
// and go (dup, close), so a channel is known by the inodes of its two ends.  Steps on different
// channels do not depend on each other; those on one all do.
//
// What the tool has to know of a channel to move a step to another place is whether reading or
// writing would block there.  The kernel is asked after every step on it, and the answer is part
// of the step's event.
#include "channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../sys.h"

enum { LOOKED_AT = 256, BY_THREAD = 4096 };

static uint64_t inode_of(int fd) {
    struct stat st;
    bool is_end = fd >= 0 && fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
    return is_end ? (uint64_t)st.st_ino : 0;
}

void tslrt_channel_made(int in, int out) {
    tslrt_fiber *self = SELF;
    if (RUN->nchannels == TSLRT_MAX_CHANNELS || self->channels == BY_THREAD) {
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "more than %u pipes and sockets: who could use the others is not known",
                     TSLRT_MAX_CHANNELS);
        return;
    }
    uint64_t number = (uint64_t)self->id * BY_THREAD + self->channels++;
    RUN->channels[RUN->nchannels++] = (tslrt_channel){.read_inode = inode_of(in),
                                                      .write_inode = inode_of(out),
                                                      .name = number,
                                                      .in = in,
                                                      .out = out};
}

const void *tslrt_channel_name(const tslrt_channel *channel) {
    return (const void *)(uintptr_t)(TSL_CHANNEL_ADDR + channel->name * 16);
}

tslrt_channel *tslrt_channel_of(int fd, bool writes) {
    uint64_t inode = RUN->nchannels ? inode_of(fd) : 0;
    for (unsigned i = 0; inode && i < RUN->nchannels; i++) {
        tslrt_channel *c = &RUN->channels[i];
        if (inode == (writes ? c->write_inode : c->read_inode))
            return c;
    }
    return NULL;
}

// ---------------------------------------------------------------- would it block?

static bool is_end(int fd, uint64_t inode, bool writes) {
    if (inode_of(fd) != inode)
        return false;
    long mode = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0) & O_ACCMODE;
    return mode == O_RDWR || mode == (writes ? O_WRONLY : O_RDONLY);
}

// Any descriptor of that end; -1 if the process has none.
static int find_end(int known, uint64_t inode, bool writes) {
    if (is_end(known, inode, writes))
        return known;
    for (int fd = 0; fd < LOOKED_AT; fd++)
        if (is_end(fd, inode, writes))
            return fd;
    return -1;
}

static bool is_ready(int fd, short events) {
    struct pollfd one = {.fd = fd, .events = events};
    struct timespec none = {0};
    return tslrt_sys5(SYS_ppoll, &one, 1, &none, NULL, 8) != 0;
}

// Who has no descriptor for an end can't be blocked at it.
static unsigned bits_of(tslrt_channel *c) {
    c->in = find_end(c->in, c->read_inode, false);
    c->out = find_end(c->out, c->write_inode, true);
    unsigned bits = c->in < 0 || is_ready(c->in, POLLIN) ? TSLRT_CHANNEL_READY : 0;
    return bits | (c->out >= 0 && !is_ready(c->out, POLLOUT) ? TSLRT_CHANNEL_FULL : 0);
}

unsigned tslrt_channel_look(tslrt_channel *c) { return c->bits = (uint8_t)bits_of(c); }

void tslrt_channel_check(const tslrt_channel *c) {
    tslrt_channel now = *c;
    if (bits_of(&now) != c->bits)
        tslrt_weaken(TSL_REASON_OUTSIDE,
                     "a pipe or socket was used by another process, or by libc for a stream");
}
