// Read-write locks: several readers or one writer.  Timed locks never block: they fail if not free.
#include <string.h>

#include "../libc/time.h"
#include "../quick.h"
#include "objects.h"

typedef struct rwlock { // laid over pthread_rwlock_t
    uint32_t state;
    uint32_t readers;
    uint32_t writer; // name of the thread
    uint64_t clock;  // of the thread that unlocked it last
    uint32_t unused[6];
    uint32_t kind; // where the static initialisers of glibc have it
} rwlock;

_Static_assert(offsetof(rwlock, kind) == offsetof(pthread_rwlock_t, __data.__flags), "as glibc");

_Static_assert(sizeof(rwlock) <= sizeof(pthread_rwlock_t), "fits");

static rwlock *over(const void *lock) { return (rwlock *)lock; }

bool tslrt_rwlock_readable(const void *lock) { return over(lock)->writer == 0; }

bool tslrt_rwlock_writable(const void *lock) {
    return over(lock)->writer == 0 && over(lock)->readers == 0;
}

uint16_t tslrt_rwlock_writer(const void *lock) {
    uint32_t writer = over(lock)->writer;
    return writer && writer >> 16 == RUN->process.number ? (uint16_t)(writer - 1) : TSLRT_NOBODY;
}

void tslrt_rwlock_inherited(void *lock) {
    if (over(lock)->writer)
        over(lock)->writer = (uint32_t)tslrt_name_of(SELF);
}

static void check_usable(const pthread_rwlock_t *l, const char *use) {
    uint32_t state = over(l)->state;
    tslrt_check_state(l, state ? state : TSLRT_ALIVE, use, "of a read-write lock");
}

static void changed(pthread_rwlock_t *l) {
    tslrt_wrote(l, sizeof(rwlock));
    tslrt_changed(l);
}

// Where glibc prefers writers, a reader waits behind a waiting writer even if readers hold the
// lock, which can end in a deadlock.  That is not tried, because beginning to wait is no step.
static void say_if_writers_first(const pthread_rwlock_t *l) {
    if (over(l)->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && over(l)->readers)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "a read-write lock prefers writers: that a reader waits "
                     "because a writer does is not tried");
}

static int take(pthread_rwlock_t *l, bool writes) {
    if (writes)
        over(l)->writer = (uint32_t)tslrt_name_of(SELF);
    else {
        say_if_writers_first(l);
        over(l)->readers++;
    }
    tslrt_clock_take(over(l)->clock);
    tslrt_held_add(TSLRT_HELD_RW(l));
    changed(l);
    return 0;
}

static bool is_writer(const pthread_rwlock_t *l) {
    return tslrt_object_lives(l, TSL_SYNC_RWLOCK) &&
           over(l)->writer == (uint32_t)tslrt_name_of(SELF);
}

static int lock(pthread_rwlock_t *l, bool writes) {
    if (is_writer(l))
        return EDEADLK;
    tslrt_op_on(writes ? TSL_EV_WRLOCK : TSL_EV_RDLOCK, l, TSL_SYNC_RWLOCK);
    check_usable(l, writes ? "wrlock" : "rdlock");
    return take(l, writes);
}

static int try(pthread_rwlock_t *l, bool writes, int otherwise) {
    tslrt_op_on(writes ? TSL_EV_TRYWRLOCK : TSL_EV_TRYRDLOCK, l, TSL_SYNC_RWLOCK);
    check_usable(l, writes ? "wrlock" : "rdlock");
    bool is_free = writes ? tslrt_rwlock_writable(l) : tslrt_rwlock_readable(l);
    int error = is_free ? take(l, writes) : otherwise;
    return tslrt_told(error);
}

API int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return lock(l, false); }

API int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return lock(l, true); }

API int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { return try(l, false, EBUSY); }

API int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { return try(l, true, EBUSY); }

static int timed(pthread_rwlock_t *l, bool writes, clockid_t clock, const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    bool invalid = until->tv_nsec < 0 || until->tv_nsec >= 1000000000;
    int error = try(l, writes, is_writer(l) ? EDEADLK : invalid ? EINVAL : ETIMEDOUT);
    if (error == ETIMEDOUT)
        tslrt_clock_reached(clock, until);
    return error;
}

API int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
    return timed(l, false, CLOCK_REALTIME, until);
}

API int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
    return timed(l, true, CLOCK_REALTIME, until);
}

API int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                   const struct timespec *until) {
    return timed(l, false, clock, until);
}

API int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                   const struct timespec *until) {
    return timed(l, true, clock, until);
}

API int pthread_rwlock_unlock(pthread_rwlock_t *l) {
    tslrt_op_on(TSL_EV_RW_UNLOCK, l, TSL_SYNC_RWLOCK);
    check_usable(l, "unlock");
    if (!tslrt_held_remove(TSLRT_HELD_RW(l)))
        tslrt_misuse(l, over(l)->writer || over(l)->readers
                            ? "unlock of a read-write lock that only other threads hold"
                            : "unlock of a read-write lock that nobody holds");
    if (is_writer(l))
        over(l)->writer = 0;
    else
        over(l)->readers--;
    tslrt_clock_give(&over(l)->clock);
    changed(l);
    return 0;
}

API int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr) {
    tslrt_reads_first(attr, sizeof *attr);
    tslrt_op_on(TSL_EV_RW_INIT, l, TSL_SYNC_RWLOCK);
    memset(l, 0, sizeof *l);
    over(l)->state = TSLRT_ALIVE;
    over(l)->kind = attr ? ((const tslrt_rwlockattr *)attr)->kind : 0;
    tslrt_wrote(l, sizeof *l);
    return 0;
}

API int pthread_rwlock_destroy(pthread_rwlock_t *l) {
    tslrt_op_on(TSL_EV_RW_DESTROY, l, TSL_SYNC_RWLOCK);
    check_usable(l, "destroy");
    if (over(l)->readers || over(l)->writer)
        tslrt_misuse(l, "destroy of a read-write lock that is held");
    over(l)->state = TSLRT_DESTROYED;
    tslrt_wrote(l, sizeof *l);
    return 0;
}
