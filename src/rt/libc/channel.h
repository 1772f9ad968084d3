// Pipes and socket pairs that the program makes: one channel for each direction in which bytes go.
#ifndef TSLRT_LIBC_CHANNEL_H
#define TSLRT_LIBC_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_CHANNELS 128
#define TSLRT_NUMBERED 256

// A pipe, or one direction of a pair of sockets.
typedef struct tslrt_channel {
    uint64_t read_inode, write_inode; // of its ends
    uint64_t name;
    int in, out; // descriptors of its ends, as far as is known
    uint8_t bits;
    uint8_t kind;   // of enum tslrt_numbered; 0: it is known by descriptors
    int id, number; // of a semaphore or queue of System V
    bool is_event;  // an event descriptor: both ends are one
    bool watched;   // by epoll: in which order channels became ready can be seen
} tslrt_channel;

enum tslrt_channel_bits { TSLRT_CHANNEL_READY = 1, TSLRT_CHANNEL_FULL = 2 }; // model/state.h

// Two descriptors that were just made: what is written to `out` is read from `in`; or one event
// descriptor.  NULL if there are too many.
tslrt_channel *tslrt_channel_made(int in, int out);
tslrt_channel *tslrt_channel_made_event(int fd);
// `to` has become a copy of `fd`.
void tslrt_channel_copied(int fd, int to);

// The channel that is read from, or written to, through a descriptor; NULL if unknown.
tslrt_channel *tslrt_channel_of(int fd, bool writes);

// An epoll descriptor watches the channel and tells in which order channels became ready: from now
// on steps on this channel depend on those on others.
void tslrt_channel_watched(int fd);

// Does `all` hold for every descriptor that an epoll descriptor watches?  False if these are not
// known, or if there are none.
bool tslrt_channel_epoll(int epoll, bool (*all)(int fd));

// Semaphores (number `number` of the set `id`) and queues of System V; NULL if unknown.
enum tslrt_numbered { TSLRT_SEMAPHORE = 1, TSLRT_MESSAGES };
void tslrt_channel_made_numbered(int kind, int id, int number);
tslrt_channel *tslrt_channel_numbered(int kind, int id, int number);
bool tslrt_channel_full(const tslrt_channel *channel); // at the last look; false for NULL

// The channel's object in events.  It follows from the thread that makes the channel and from how
// many channels that thread has made before.
const void *tslrt_channel_name(const tslrt_channel *channel);

// Would reading and writing block now?  The answer is kept, so that the next step can check whether
// another process, or libc, has used the channel meanwhile.
unsigned tslrt_channel_look(tslrt_channel *channel);
void tslrt_channel_check(tslrt_channel *channel);

#endif
