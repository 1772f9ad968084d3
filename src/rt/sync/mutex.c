// Mutexes: normal, recursive, errorcheck, robust; lock, try, timed.
//
// A lock step is enabled while the mutex is free or held by the thread itself.  A timed lock never
// blocks: it gives up if it runs while the mutex is held, and succeeds if it runs later, so each
// outcome belongs to a schedule.  What POSIX leaves undefined on a normal mutex is reported.
#include <string.h>

#include "../libc/time.h"
#include "../notes.h"
#include "../quick.h"
#include "objects.h"

enum {
    KIND_MASK = 3,
    ROBUST = 16,
    INCONSISTENT = 1 << 20,
    DEAD = 1 << 21,
    NOT_RECOVERABLE = 1 << 22
};

// Laid over pthread_mutex_t; `kind` is where glibc's initialisers put the type.
#define OWNER(m) ((m)->__data.__owner) // tslrt_name_of the owner; 0: free
#define LEVELS(m) ((m)->__data.__count)
#define KIND(m) ((m)->__data.__kind)
#define CLOCK(m) (((mutex_extra *)(m))->clock) // of the thread that unlocked it last
#define CEILING(m) (((mutex_extra *)(m))->ceiling)

typedef struct mutex_extra { // its own fields come after those that glibc's initialisers fill
    char before[24];
    uint64_t clock;
    int32_t ceiling; // priority ceiling, which has no effect; 0: it has none
} mutex_extra;

_Static_assert(sizeof(mutex_extra) <= sizeof(pthread_mutex_t) &&
                   offsetof(pthread_mutex_t, __data.__kind) < offsetof(mutex_extra, clock),
               "fits");

static int type_of(const pthread_mutex_t *m) {
    return KIND(m) & KIND_MASK; // 0 normal, 1 recursive, 2 errorcheck, 3 adaptive
}

static bool is_mine(const pthread_mutex_t *m) { return OWNER(m) == tslrt_name_of(SELF); }

static void check_usable(const pthread_mutex_t *m, const char *what) {
    if (KIND(m) & ~(KIND_MASK | ROBUST | INCONSISTENT | DEAD | NOT_RECOVERABLE | 0x1f8))
        tslrt_misuse(m, "%s of a mutex that was never initialised", what);
    if (KIND(m) & DEAD)
        tslrt_misuse(m, "%s of a mutex that was destroyed", what);
}

uint16_t tslrt_mutex_owner(const void *mutex) {
    const pthread_mutex_t *m = mutex;
    bool here = OWNER(m) && (unsigned)OWNER(m) >> 16 == RUN->process.number;
    return here ? (uint16_t)(OWNER(m) - 1) : TSLRT_NOBODY;
}

void tslrt_mutex_inherited(pthread_mutex_t *m) { OWNER(m) = tslrt_name_of(SELF); }

static void set_owner(pthread_mutex_t *m, unsigned levels) {
    tslrt_claim(&OWNER(m));
    LEVELS(m) = levels;
    tslrt_clock_take(CLOCK(m));
    tslrt_wrote(m, sizeof *m);
    tslrt_held_add(m);
    tslrt_changed(m);
}

static void set_free(pthread_mutex_t *m) {
    OWNER(m) = 0;
    LEVELS(m) = 0;
    tslrt_clock_give(&CLOCK(m));
    tslrt_wrote(m, sizeof *m);
    tslrt_held_remove(m);
    tslrt_changed(m);
}

// The lock step was taken: the mutex is the thread's own, or free unless another process was
// faster.
int tslrt_mutex_take(pthread_mutex_t *m) {
    if (!is_mine(m)) {
        if (KIND(m) & NOT_RECOVERABLE)
            return ENOTRECOVERABLE;
        set_owner(m, 1);
        return KIND(m) & INCONSISTENT ? EOWNERDEAD : 0;
    }
    if (type_of(m) == PTHREAD_MUTEX_RECURSIVE) {
        if (LEVELS(m) == UINT32_MAX)
            return EAGAIN;
        LEVELS(m)++;
        tslrt_wrote(m, sizeof *m);
        return 0;
    }
    return EDEADLK;
}

// Does a thread that locks the mutex twice wait for itself?  Other types count, or return an error.
static bool waits_for_itself(pthread_mutex_t *m) {
    return type_of(m) != PTHREAD_MUTEX_RECURSIVE && type_of(m) != PTHREAD_MUTEX_ERRORCHECK;
}

API int pthread_mutex_lock(pthread_mutex_t *m) {
    tslrt_op_on(TSL_EV_LOCK, m, TSL_SYNC_MUTEX);
    check_usable(m, "lock");
    int error = tslrt_mutex_take(m);
    if (error == EDEADLK && waits_for_itself(m))
        tslrt_waits_for_itself(m, "mutex");
    return tslrt_told(error);
}

API int pthread_mutex_trylock(pthread_mutex_t *m) {
    tslrt_op_on(TSL_EV_TRYLOCK, m, TSL_SYNC_MUTEX);
    check_usable(m, "trylock");
    int error = EBUSY;
    if (OWNER(m) == 0 || (is_mine(m) && type_of(m) == PTHREAD_MUTEX_RECURSIVE))
        error = tslrt_mutex_take(m);
    return tslrt_told(error);
}

static int timed_lock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
    tslrt_op_on(TSL_EV_TIMEDLOCK, m, TSL_SYNC_MUTEX);
    check_usable(m, "timed lock");
    int error;
    if (OWNER(m) == 0 || (is_mine(m) && !waits_for_itself(m)))
        error = tslrt_mutex_take(m);
    else if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        error = EINVAL;
    else
        error = ETIMEDOUT;
    if (error == ETIMEDOUT)
        tslrt_clock_reached(clock, until);
    return tslrt_told(error);
}

API int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
    return timed_lock(m, CLOCK_REALTIME, until);
}

API int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return timed_lock(m, clock, until);
}

// Gives up one level of the mutex; a recursive mutex may still be held then.
void tslrt_mutex_drop(pthread_mutex_t *m) {
    if (LEVELS(m) > 1) {
        LEVELS(m)--;
        tslrt_wrote(m, sizeof *m);
        return;
    }
    if (KIND(m) & INCONSISTENT) // unlocked without having been made consistent
        KIND(m) = (KIND(m) & ~INCONSISTENT) | NOT_RECOVERABLE;
    set_free(m);
}

API int pthread_mutex_unlock(pthread_mutex_t *m) {
    tslrt_op_on(TSL_EV_UNLOCK, m, TSL_SYNC_MUTEX);
    check_usable(m, "unlock");
    if (!is_mine(m)) {
        bool strict = type_of(m) == PTHREAD_MUTEX_NORMAL || type_of(m) == 3;
        if (strict && !(KIND(m) & ROBUST))
            tslrt_misuse(m, OWNER(m) ? "unlock of a mutex that another thread holds"
                                     : "unlock of a mutex that nobody holds");
        tslrt_result(EPERM);
        return EPERM;
    }
    tslrt_mutex_drop(m);
    return 0;
}

API int pthread_mutex_consistent(pthread_mutex_t *m) {
    tslrt_writes(m, sizeof *m);
    if (!(KIND(m) & ROBUST) || !(KIND(m) & INCONSISTENT) || !is_mine(m))
        return EINVAL;
    KIND(m) &= ~INCONSISTENT;
    return 0;
}

int tslrt_mutex_init(pthread_mutex_t *m, tslrt_mutexattr with) {
    tslrt_op_on(TSL_EV_MUTEX_INIT, m, TSL_SYNC_MUTEX);
    memset(m, 0, sizeof *m);
    KIND(m) = (int)with.type | (with.robust ? ROBUST : 0);
    if (with.protocol == PTHREAD_PRIO_PROTECT)
        CEILING(m) = with.ceiling ? with.ceiling : 1;
    tslrt_wrote(m, sizeof *m);
    return 0;
}

API int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr) {
    tslrt_reads_first(attr, sizeof *attr);
    return tslrt_mutex_init(m, attr ? *(const tslrt_mutexattr *)attr : (tslrt_mutexattr){0});
}

// C11 forbids destroying a mutex that a thread waits for; POSIX also one that is held.
int tslrt_mutex_destroy(pthread_mutex_t *m, bool may_hold) {
    tslrt_op_on(TSL_EV_MUTEX_DESTROY, m, TSL_SYNC_MUTEX);
    check_usable(m, "destroy");
    if (may_hold && is_mine(m) && !tslrt_another_before(TSL_EV_LOCK, m))
        set_free(m);
    if (OWNER(m))
        tslrt_misuse(m, "destroy of a mutex that %s holds",
                     is_mine(m) ? "the thread itself" : "another thread");
    KIND(m) |= DEAD;
    tslrt_wrote(m, sizeof *m);
    return 0;
}

API int pthread_mutex_destroy(pthread_mutex_t *m) { return tslrt_mutex_destroy(m, false); }

// The ceiling is read without the mutex and changed with it: no data race, as glibc guards both.
static void uses_ceiling(const pthread_mutex_t *m, unsigned role, uint32_t site) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    tslrt_call_step(site);
    tslrt_also(TSL_EV_STATE, &CEILING(m), role, 0);
}

API int pthread_mutex_getprioceiling(const pthread_mutex_t *m, int *ceiling) {
    uint32_t site = TSL_HOT->call_site;
    uses_ceiling(m, TSL_ROLE_READ, site);
    tslrt_object_check(TSL_EV_READ, m, TSL_SYNC_MUTEX, site);
    if (!CEILING(m))
        return EINVAL;
    TSL_HOT->call_site = site;
    tslrt_writes(ceiling, sizeof *ceiling);
    *ceiling = CEILING(m);
    return 0;
}

API int pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling, int *old) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_object_check(TSL_EV_WRITE, m, TSL_SYNC_MUTEX, site);
    if (!CEILING(m) || ceiling < 1 || ceiling > 99) {
        tslrt_reads(m, sizeof *m);
        return EINVAL;
    }
    int error = pthread_mutex_lock(m);
    if (error)
        return error;
    uses_ceiling(m, TSL_ROLE_WRITE, site);
    TSL_HOT->call_site = site;
    tslrt_writes(old, sizeof *old);
    *old = CEILING(m);
    CEILING(m) = ceiling;
    TSL_HOT->call_site = site;
    return pthread_mutex_unlock(m);
}

static bool is_left_behind(pthread_mutex_t *m) {
    return tslrt_held_is_mutex(m) && tslrt_object_lives(m, TSL_SYNC_MUTEX) && is_mine(m) &&
           (KIND(m) & ROBUST);
}

// Robust mutexes that the ending thread holds pass, inconsistent, to the next thread to lock them.
void tslrt_release_robust(void) {
    for (unsigned i = SELF->locks.n; i-- > 0;)
        if (is_left_behind(SELF->locks.held[i]))
            tslrt_also(TSL_EV_UNLOCK, SELF->locks.held[i], 0, TSL_SYNC_MUTEX);
    for (unsigned i = SELF->locks.n; i-- > 0;) {
        pthread_mutex_t *m = SELF->locks.held[i];
        if (!is_left_behind(m))
            continue;
        KIND(m) |= INCONSISTENT;
        set_free(m);
    }
}

// ---------------------------------------------------------------- for condition variables

int tslrt_mutex_check_held(pthread_mutex_t *m, const char *by) {
    check_usable(m, by);
    if (is_mine(m))
        return 0;
    if (type_of(m) == PTHREAD_MUTEX_ERRORCHECK || (KIND(m) & ROBUST))
        return EPERM;
    tslrt_misuse(m, "%s with a mutex that the thread does not hold", by);
}
