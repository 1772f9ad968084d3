// Locks of files; see flock.c.
#ifndef TSLRT_LIBC_FLOCK_H
#define TSLRT_LIBC_FLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_FLOCKS 16

typedef struct flock_slot {
    bool used, records; // records: of fcntl and lockf
    uint64_t device, inode;
    pthread_mutex_t lock;
    pthread_cond_t given_back;
} flock_slot;

struct flock;

bool tslrt_is_record_lock(int command); // is this command of fcntl about locks?
int tslrt_lock_record(int fd, int command, struct flock *lock, uint32_t site);

// A descriptor is about to be closed; it is closed, and threads that wait for its locks go on.
typedef struct tslrt_closing {
    flock_slot *slots[2];
    unsigned n;
    uint32_t site;
} tslrt_closing;

tslrt_closing tslrt_flock_closing(int fd, uint32_t site);
void tslrt_flock_closed(const tslrt_closing *closing);
// A call closes descriptors that are not known.
void tslrt_flock_lost(const char *function, uint32_t site);

#endif
