// Steps on descriptors, of which read, poll and their like are made.
#ifndef TSLRT_LIBC_IO_H
#define TSLRT_LIBC_IO_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;
typedef struct tslrt_channel tslrt_channel;

#define TSLRT_MAX_POLL 64

// What an IO step waits for: any of these descriptors.
struct pollfd;
typedef struct tslrt_io {
    const struct pollfd *fds;
    unsigned long n;
    bool ends;                        // a handler ends the wait, even one with SA_RESTART
    bool (*ready)(const void *about); // instead of descriptors; or NULL
    const void *about;
} tslrt_io;

// Of a thread: the step on descriptors that it is in, or stands before.
typedef struct tslrt_using {
    const tslrt_io *wait;   // what the step waits for, or NULL
    tslrt_channel *channel; // or NULL
    int fd;                 // of the channel
    uint16_t made;          // channels that the thread has made
    void *stream;           // that it holds while libc works on it (lockfile.c), or NULL
} tslrt_using;

bool io_is_controlled(void); // there is a run whose steps are recorded
bool io_is_channel(int fd);  // a pipe, a socket or another descriptor that may block
bool io_can_block(int fd);
long io_polled(struct pollfd *fds, unsigned long n); // without waiting
bool io_is_ready(int fd, short events);

// Takes a step on the object that stands for all descriptors, enabled when a descriptor of `io` is
// ready, or always if `io` is NULL.
void io_step(tslrt_io *io, uint32_t site);
// Takes a step on one channel; `io` as above.
void io_step_on_channel(tslrt_channel *channel, unsigned kind, tslrt_io *io, uint32_t site);
// A call has changed the state of a channel, and tells what it is now.  io_touch: in a step, with
// descriptor `fd`, or 0.  io_also_touch: in a note of the last step, unless `channel` is NULL.
// io_touched: in the note, but while there is only one thread in the step.
void io_touch(tslrt_channel *channel, int fd, uint32_t site);
void io_also_touch(tslrt_channel *channel);
void io_touched(tslrt_channel *channel, int fd, uint32_t site);
// Takes a step on the channel of a descriptor, or on all descriptors if its channel is not known.
// `ends` is as in tslrt_io.
void io_step_on_descriptor(int fd, short events, bool waits, bool ends, uint32_t site);
// Takes a step on a plain file or a device, which never waits.  True if that was a step.
bool io_plain_turn(int fd, short events, uint32_t site);
// Waits until the descriptor is ready, if the call would wait.  True if that was a step.
bool io_wait_ready(int fd, short events, bool dont_wait);
// A handler ran while the call waited: it fails with EINTR, and the kernel is not asked.
bool io_was_interrupted(void);
#define IO_CALL(call) (io_was_interrupted() ? -EINTR : (call))
// Turns the result of the system call into what libc returns.
long io_done(long got);
bool tslrt_io_ready(const tslrt_fiber *fiber);
// A step that does not wait, if there are several threads.  True if that was a step.
bool tslrt_io_turn(uint32_t site);

// waits.c: named pipes.  Would opening this path wait for the other end?
bool tslrt_fifo_waits(int dir, const char *path, int flags);
// Takes a step that opens it and waits.  Returns the descriptor, or a negative errno.
long tslrt_fifo_open(int dir, const char *path, int flags, uint32_t site);
// A descriptor was opened: if it is a named pipe, it carries bytes between threads from now on.
struct stat;
void tslrt_fifo_opened(int fd, const struct stat *st, uint32_t site);

#endif
