// Spin locks: normal mutexes, kept in one int.  A thread that would spin is blocked instead, which
// has the same outcomes when every order is tried.

#include "../quick.h"
#include "objects.h"

// The word holds tslrt_name_of the owner.  Steps other than SPINLOCK are those of mutexes, so that
// strategies need no rules for spin locks.
static void set(pthread_spinlock_t *lock, int value) {
    *lock = value;
    tslrt_wrote((const void *)lock, sizeof *lock);
    tslrt_changed((const void *)lock);
}

static void take(pthread_spinlock_t *lock) {
    tslrt_claim(lock);
    set(lock, tslrt_name_of(SELF));
}

enum { DEAD = -0x7ead };

// Locking is enabled for the owner, too, and if the lock was destroyed: both end the run.
bool tslrt_spin_free_for(const void *lock, const tslrt_fiber *fiber) {
    int now = *(const int *)lock;
    return now == 0 || now == tslrt_name_of(fiber) || now == DEAD;
}

static void check_usable(pthread_spinlock_t *lock, const char *what) {
    if (*lock == DEAD)
        tslrt_misuse((const void *)lock, "%s of a spin lock that was destroyed", what);
}

API int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    tslrt_op_on(TSL_EV_MUTEX_INIT, (const void *)lock, TSL_SYNC_SPIN);
    set(lock, 0);
    return 0;
}

API int pthread_spin_destroy(pthread_spinlock_t *lock) {
    tslrt_op_on(TSL_EV_MUTEX_DESTROY, (const void *)lock, TSL_SYNC_SPIN);
    check_usable(lock, "destroy");
    if (*lock)
        tslrt_misuse((const void *)lock, "destroy of a spin lock that is held");
    set(lock, DEAD);
    return 0;
}

API int pthread_spin_lock(pthread_spinlock_t *lock) {
    tslrt_op_on(TSL_EV_SPINLOCK, (const void *)lock, TSL_SYNC_SPIN);
    check_usable(lock, "lock");
    if (*lock == tslrt_name_of(SELF))
        tslrt_waits_for_itself((const void *)lock, "spin lock");
    take(lock);
    tslrt_held_add(TSLRT_HELD_SPIN(lock));
    return 0;
}

API int pthread_spin_trylock(pthread_spinlock_t *lock) {
    tslrt_op_on(TSL_EV_TRYLOCK, (const void *)lock, TSL_SYNC_SPIN);
    check_usable(lock, "trylock");
    int error = *lock ? EBUSY : 0;
    if (!error) {
        take(lock);
        tslrt_held_add(TSLRT_HELD_SPIN(lock));
    }
    return tslrt_told(error);
}

API int pthread_spin_unlock(pthread_spinlock_t *lock) {
    tslrt_op_on(TSL_EV_UNLOCK, (const void *)lock, TSL_SYNC_SPIN);
    check_usable(lock, "unlock");
    if (*lock != tslrt_name_of(SELF))
        tslrt_misuse((const void *)lock, *lock ? "unlock of a spin lock that another thread holds"
                                               : "unlock of a spin lock that nobody holds");
    tslrt_held_remove(TSLRT_HELD_SPIN(lock));
    set(lock, 0);
    return 0;
}
