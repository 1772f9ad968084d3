// Pipes and socket pairs that the program makes: one channel for each direction in which bytes go.
#ifndef TSLRT_CHANNEL_H
#define TSLRT_CHANNEL_H

#include "../rt.h"

enum tslrt_channel_bits { TSLRT_CHANNEL_READY = 1, TSLRT_CHANNEL_FULL = 2 }; // model/state.h

// Two descriptors that were just made: what is written to `out` is read from `in`.
void tslrt_channel_made(int in, int out);

tslrt_channel *tslrt_channel_made_event(int fd); // or NULL: there are too many
// `to` is a copy of `fd` now.
void tslrt_channel_copied(int fd, int to);

// The channel that is read from, or written to, through a descriptor; NULL: nobody knows it.
tslrt_channel *tslrt_channel_of(int fd, bool writes);

// An epoll descriptor tells in which order channels became ready: from now on steps on this one depend on those on others.
void tslrt_channel_watched(int fd);

// True if all descriptors that an epoll descriptor watches are so; false if they are not known, or if there are none.
bool tslrt_channel_epoll(int epoll, bool (*all)(int fd));

// Semaphores and queues of System V: the how-manieth one of which number.  NULL: nobody knows it.
enum tslrt_numbered { TSLRT_SEMAPHORE = 1, TSLRT_MESSAGES };
void tslrt_channel_made_numbered(int kind, int id, int number);
tslrt_channel *tslrt_channel_numbered(int kind, int id, int number);
bool tslrt_channel_full(const tslrt_channel *channel); // when it was looked at last; NULL: not so

// Its name: the same in every run in which the same thread makes it as its how-manieth.
const void *tslrt_channel_name(const tslrt_channel *channel);

// Would reading and writing block now?  Kept, so that the next step notices if somebody else has
// used the channel meanwhile.
unsigned tslrt_channel_look(tslrt_channel *channel);
void tslrt_channel_check(tslrt_channel *channel);

#endif
