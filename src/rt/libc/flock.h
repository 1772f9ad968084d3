// Locks of files; see flock.c.
#ifndef TSLRT_FLOCK_H
#define TSLRT_FLOCK_H

#include "../rt.h"

struct flock;

bool tslrt_is_record_lock(int command); // of fcntl: it is about a lock
int tslrt_lock_record(int fd, int command, struct flock *lock, uint32_t site);

// A descriptor is about to be closed, and is closed: whoever waits for its locks goes on.
typedef struct tslrt_closing {
    flock_slot *slots[2];
    unsigned n;
    uint32_t site;
} tslrt_closing;

tslrt_closing tslrt_flock_closing(int fd, uint32_t site);
void tslrt_flock_closed(const tslrt_closing *closing);
void tslrt_flock_lost(const char *function,
                      uint32_t site); // a call that closes descriptors nobody knows

#endif
