// flock: locks of files that threads of this process hold against each other.
//
// To wait in the kernel would stop all threads.  Whether the lock is free is asked without waiting; a thread that has to
// wait does so at a condition of the runtime's own, one for each file, which giving a lock back signals.  What the kernel
// says decides, so a lock that belongs to an open file, its copies (dup) and changes between shared and exclusive
// are as they are.  If no descriptor of this process has the lock, another process has it: then the whole process waits.
#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "../sync/objects.h"
#include "../sys.h"
#include "io.h"

static flock_slot *slot_of(int fd) {
    struct stat st;
    if (tslrt_sys2(SYS_fstat, fd, &st) != 0)
        return NULL;
    tslrt_registry *reg = tslrt_reg_change();
    for (unsigned i = 0; i < TSLRT_MAX_FLOCKS; i++) {
        flock_slot *slot = &reg->flocks[i];
        if (slot->used && slot->device == st.st_dev && slot->inode == st.st_ino)
            return slot;
        if (slot->used)
            continue;
        *slot = (flock_slot){.used = true,
                             .device = st.st_dev,
                             .inode = st.st_ino,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .given_back = PTHREAD_COND_INITIALIZER};
        return slot;
    }
    return NULL;
}

static uint64_t bit_of(int fd) { return 1ull << (fd & 63); }

static int done(long got) {
    if (got == 0)
        return 0;
    errno = (int)-got;
    return -1;
}

static void take(flock_slot *slot, uint32_t site) {
    TSL_HOT->call_site = site;
    pthread_mutex_lock(&slot->lock);
}

static void give(flock_slot *slot, uint32_t site) {
    TSL_HOT->call_site = site;
    pthread_mutex_unlock(&slot->lock);
}

static void wake(flock_slot *slot, uint32_t site) {
    TSL_HOT->call_site = site;
    pthread_cond_broadcast(&slot->given_back);
}

static long wait_for_lock(flock_slot *slot, int fd, int operation, uint32_t site) {
    long got;
    bool told = false;
    while ((got = tslrt_sys2(SYS_flock, fd, operation | LOCK_NB)) == -EWOULDBLOCK) {
        slot->held &= ~bit_of(fd); // one that was to be changed is lost
        if (!slot->held) {
            tslrt_weaken(TSL_REASON_UNCONTROLLED,
                         "flock waits for another process: while it waits, no thread runs");
            return tslrt_sys2(SYS_flock, fd, operation);
        }
        if (!told)
            wake(slot, site);
        told = true;
        TSL_HOT->call_site = site;
        pthread_cond_wait(&slot->given_back, &slot->lock);
    }
    return got;
}

API int flock(int fd, int operation) {
    uint32_t site = tslrt_take_site();
    flock_slot *slot = io_is_controlled() ? slot_of(fd) : NULL;
    if (!slot)
        return done(tslrt_sys2(SYS_flock, fd, operation));
    take(slot, site);
    bool waits = !(operation & (LOCK_NB | LOCK_UN));
    long got =
        waits ? wait_for_lock(slot, fd, operation, site) : tslrt_sys2(SYS_flock, fd, operation);
    if (got == 0 && (operation & LOCK_UN))
        slot->held &= ~bit_of(fd);
    else if (got == 0)
        slot->held |= bit_of(fd);
    if (!waits || (operation & LOCK_SH))
        wake(slot, site);
    give(slot, site);
    return done(got);
}

// The last descriptor of an open file gives its lock back.
long tslrt_flock_close(int fd) {
    uint32_t site = SELF->pend.site;
    tslrt_registry *reg = tslrt_reg_change();
    flock_slot *slot = NULL;
    for (unsigned i = 0; i < TSLRT_MAX_FLOCKS && !slot && reg->flocks[i].used; i++)
        if (reg->flocks[i].held & bit_of(fd))
            slot = &reg->flocks[i];
    if (!slot)
        return tslrt_sys1(SYS_close, fd);
    take(slot, site);
    long got = tslrt_sys1(SYS_close, fd);
    slot->held &= ~bit_of(fd);
    wake(slot, site);
    give(slot, site);
    return got;
}
