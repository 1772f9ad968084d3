// Which pipe or socket is behind a descriptor, and would using it block?
//
// A channel carries bytes in one direction: a pipe is one channel, a pair of sockets two.
// Descriptors come and go (dup, close), so a channel is identified by the inodes of its two ends.
// Event descriptors all have the same inode; the kernel numbers them, and tells the number in
// /proc.  Steps on one channel depend on each other, steps on different channels do not.
//
// To move a step to another place, the tool must know whether reading or writing the channel would
// block there.  The kernel is asked after every step on a channel; the step's event has the answer.
#include <fcntl.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "../print.h"
#include "../sabotage.h"
#include "../state.h"
#include "../sys.h"
#include "channel.h"

enum { LOOKED_AT = 256, BY_THREAD = TSL_CHANNELS_OF_THREAD };

enum what { CLOSED, END, EVENT, OTHER };

// What the kernel tells about a descriptor in /proc; empty if it tells nothing.
static void tell(int fd, char *text, size_t size) {
    char path[32];
    tslrt_format(path, sizeof path, "/proc/self/fdinfo/%u", (unsigned)fd);
    tslrt_read_text(path, text, size);
}

// The number behind a word, and where it ends; NULL if the word is not there.
static const char *number_behind(const char *text, const char *word, uint64_t *value) {
    const char *at = strstr(text, word);
    *value = 0;
    for (at = at ? at + strlen(word) : at; at && (*at == ' ' || *at == '\t');)
        at++;
    if (!at || *at < '0' || *at > '9')
        return NULL;
    for (; *at >= '0' && *at <= '9'; at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return at;
}

// Returns 0 if this is no event descriptor, or if the kernel does not tell.  Descriptors of epoll,
// signals and timers have no inode either, and may have the number of a closed event descriptor.
static uint64_t event_number(int fd) {
    char text[512];
    uint64_t value;
    tell(fd, text, sizeof text);
    return number_behind(text, "\neventfd-id:", &value) ? value + 1 : 0;
}

bool tslrt_channel_epoll(int epoll, bool (*all)(int fd)) {
    char text[8192];
    uint64_t fd;
    tell(epoll, text, sizeof text);
    const char *at = text;
    for (unsigned found = 0;; found++) {
        const char *next = number_behind(at, "\ntfd:", &fd);
        if (!next)
            return found > 0 && strlen(text) < sizeof text - 1;
        if (!all((int)fd))
            return false;
        at = next;
    }
}

static bool is_queue(int fd) {
    enum { QUEUES = 0x19800202 }; // the file system that queues of POSIX are in
    struct statfs fs;
    return tslrt_sys2(SYS_fstatfs, fd, &fs) == 0 && fs.f_type == QUEUES;
}

static enum what look_up(int fd, uint64_t *inode) {
    struct stat st;
    *inode = 0;
    if (fd < 0 || fstat(fd, &st) != 0)
        return CLOSED;
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ||
        (RUN->libc.queues && S_ISREG(st.st_mode) && is_queue(fd))) {
        *inode = (uint64_t)st.st_ino;
        return END;
    }
    *inode = (st.st_mode & S_IFMT) == 0 ? event_number(fd) : 0;
    return *inode ? EVENT : OTHER;
}

static uint64_t inode_of(int fd) {
    uint64_t inode;
    look_up(fd, &inode);
    return inode;
}

static tslrt_channel *add_channel(void) {
    tslrt_fiber *self = SELF;
    if (RUN->libc.nchannels == TSLRT_MAX_CHANNELS || self->io.made == BY_THREAD) {
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "more than %u pipes and sockets: who could use the others is not known",
                     TSLRT_MAX_CHANNELS);
        return NULL;
    }
    tslrt_channel *c = &RUN->tables.channels[RUN->libc.nchannels++];
    *c = (tslrt_channel){.name = (uint64_t)self->id * BY_THREAD + self->io.made++};
    return c;
}

static void number(int fd, tslrt_channel *c, bool writes) {
    uint8_t *table = writes ? RUN->tables.writes_to : RUN->tables.reads_from;
    if (fd >= 0 && fd < TSLRT_NUMBERED)
        table[fd] = c ? (uint8_t)(c - RUN->tables.channels + 1) : 0;
}

tslrt_channel *tslrt_channel_made(int in, int out) {
    tslrt_channel *c = add_channel();
    if (!c)
        return NULL;
    c->read_inode = inode_of(in);
    c->write_inode = inode_of(out);
    c->in = in;
    c->out = out;
    number(in, c, false);
    number(out, c, true);
    return c;
}

tslrt_channel *tslrt_channel_made_event(int fd) {
    tslrt_channel *c = tslrt_channel_made(fd, fd);
    if (c)
        c->is_event = true;
    return c;
}

void tslrt_channel_made_numbered(int kind, int id, int number_of) {
    tslrt_channel *c = add_channel();
    if (!c)
        return;
    c->kind = (uint8_t)kind;
    c->id = id;
    c->number = number_of;
    c->in = c->out = -1;
}

tslrt_channel *tslrt_channel_numbered(int kind, int id, int number_of) {
    for (unsigned i = 0; i < RUN->libc.nchannels; i++) {
        tslrt_channel *c = &RUN->tables.channels[i];
        if (c->kind == kind && c->id == id && c->number == number_of)
            return c;
    }
    return NULL;
}

bool tslrt_channel_full(const tslrt_channel *channel) {
    return channel && channel->bits & TSLRT_CHANNEL_FULL;
}

void tslrt_channel_copied(int fd, int to) {
    if (to < 0 || to >= TSLRT_NUMBERED || fd < 0 || fd >= TSLRT_NUMBERED)
        return;
    RUN->tables.reads_from[to] = RUN->tables.reads_from[fd];
    RUN->tables.writes_to[to] = RUN->tables.writes_to[fd];
}

void tslrt_channel_watched(int fd) {
    tslrt_channel *in = tslrt_channel_of(fd, false), *out = tslrt_channel_of(fd, true);
    if (in)
        in->watched = true;
    if (out)
        out->watched = true;
}

const void *tslrt_channel_name(const tslrt_channel *channel) {
    return (const void *)(uintptr_t)(TSL_CHANNEL_ADDR + channel->name * TSL_CHANNEL_SIZE);
}

static tslrt_channel *numbered(int fd, bool writes) {
    unsigned i = fd < 0 || fd >= TSLRT_NUMBERED ? 0
                 : writes                       ? RUN->tables.writes_to[fd]
                                                : RUN->tables.reads_from[fd];
    return i && i <= RUN->libc.nchannels ? &RUN->tables.channels[i - 1] : NULL;
}

// A closed descriptor stands for the channel it was last: using it fails, but the step is the same.
tslrt_channel *tslrt_channel_of(int fd, bool writes) {
    uint64_t inode;
    if (!RUN->libc.nchannels || TSLRT_BROKEN(CHANNELS))
        return NULL;
    enum what what = look_up(fd, &inode);
    if (what == CLOSED)
        return numbered(fd, writes);
    for (unsigned i = 0; what != OTHER && i < RUN->libc.nchannels; i++) {
        tslrt_channel *c = &RUN->tables.channels[i];
        if (!c->kind && c->is_event == (what == EVENT) &&
            inode == (writes ? c->write_inode : c->read_inode)) {
            number(fd, c, writes);
            return c;
        }
    }
    number(fd, NULL, writes);
    return NULL;
}

// ---------------------------------------------------------------- would it block?

static bool is_end(int fd, uint64_t inode, bool writes) {
    if (inode_of(fd) != inode)
        return false;
    long mode = tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0) & O_ACCMODE;
    return mode == O_RDWR || mode == (writes ? O_WRONLY : O_RDONLY);
}

// Which descriptors are open?  One call asks for all, because in a run that closes its pipes,
// asking for each would take most of the time.
static void look_at_all(struct pollfd all[LOOKED_AT]) {
    for (int fd = 0; fd < LOOKED_AT; fd++)
        all[fd] = (struct pollfd){.fd = fd};
    io_polled(all, LOOKED_AT);
}

// A descriptor of that end of the channel, or -1 if the process has none.
static int find_end(int known, uint64_t inode, bool writes) {
    struct pollfd all[LOOKED_AT];
    if (is_end(known, inode, writes))
        return known;
    look_at_all(all);
    for (int fd = 0; fd < LOOKED_AT; fd++)
        if (!(all[fd].revents & POLLNVAL) && is_end(fd, inode, writes))
            return fd;
    return -1;
}

static bool is_event(int fd, const tslrt_channel *c) {
    uint64_t inode;
    return look_up(fd, &inode) == EVENT && inode == c->read_inode;
}

static void find_event(tslrt_channel *c) {
    int found = is_event(c->in, c) ? c->in : -1;
    for (int fd = 0; fd < LOOKED_AT && found < 0; fd++)
        if (is_event(fd, c))
            found = fd;
    c->in = c->out = found;
}

// A semaphore above 0 is ready, and also full.  Nobody waits for one that was removed.
static unsigned bits_of_numbered(const tslrt_channel *c) {
    struct msqid_ds queue;
    if (c->kind == TSLRT_SEMAPHORE) {
        long value = tslrt_sys4(SYS_semctl, c->id, c->number, GETVAL, 0);
        return value < 0   ? TSLRT_CHANNEL_READY
               : value > 0 ? TSLRT_CHANNEL_READY | TSLRT_CHANNEL_FULL
                           : 0;
    }
    if (tslrt_sys3(SYS_msgctl, c->id, IPC_STAT, &queue) < 0)
        return TSLRT_CHANNEL_READY;
    bool full = queue.__msg_cbytes >= queue.msg_qbytes || queue.msg_qnum >= queue.msg_qbytes;
    return (queue.msg_qnum > 0 ? TSLRT_CHANNEL_READY : 0) | (full ? TSLRT_CHANNEL_FULL : 0);
}

// A process that has no descriptor for an end can't be blocked at it.
static unsigned bits_of(tslrt_channel *c) {
    if (c->kind)
        return bits_of_numbered(c);
    if (c->is_event)
        find_event(c);
    else {
        c->in = find_end(c->in, c->read_inode, false);
        c->out = find_end(c->out, c->write_inode, true);
    }
    unsigned bits = c->in < 0 || io_is_ready(c->in, POLLIN) ? TSLRT_CHANNEL_READY : 0;
    return bits | (c->out >= 0 && !io_is_ready(c->out, POLLOUT) ? TSLRT_CHANNEL_FULL : 0);
}

unsigned tslrt_channel_look(tslrt_channel *c) {
    return c->bits = TSLRT_BROKEN(CHANNEL_BITS) ? TSLRT_CHANNEL_READY : (uint8_t)bits_of(c);
}

void tslrt_channel_check(tslrt_channel *c) {
    if (bits_of(c) != c->bits && !TSLRT_BROKEN(CHANNEL_BITS))
        tslrt_weaken(TSL_REASON_OUTSIDE,
                     "a pipe or socket was used by another process, or by libc for a stream");
}
