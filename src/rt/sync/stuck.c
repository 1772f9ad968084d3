// Which threads wait for ever, although the program goes on or ends?
//
// A blocked thread waits for all threads that hold what it wants: the owner of a mutex or spin
// lock, the writer or all readers of a read-write lock, the thread it joins, the thread that runs a
// once routine.  It is stuck if one of these is stuck or has ended: following them leads to a cycle
// or to a thread that has ended.  Threads that wait for a condition, a semaphore, a barrier or
// input are not stuck: any thread might have come, and it is ordinary that threads idle there when
// the program ends.  Nor are threads that wait for these, or for the one that ends the program.
#include "objects.h"

static bool holds_rwlock(const tslrt_fiber *fiber, const void *lock) {
    for (unsigned i = 0; i < fiber->locks.n; i++)
        if (fiber->locks.held[i] == TSLRT_HELD_RW(lock))
            return true;
    return false;
}

static bool waits_for(const tslrt_fiber *fiber, const tslrt_fiber *other) {
    const void *object = fiber->pend.object;
    unsigned row = tslrt_object_of(fiber->pend.kind);
    if (row && ((RUN->faulted && fiber == SELF) || !tslrt_object_lives(object, row)))
        return false;
    switch (fiber->pend.kind) {
    case TSL_EV_LOCK:
        return tslrt_mutex_owner(object) == other->id;
    case TSL_EV_SPINLOCK:
        return *(const int *)object == tslrt_name_of(other);
    case TSL_EV_RDLOCK:
        return tslrt_rwlock_writer(object) == other->id;
    case TSL_EV_WRLOCK:
        return tslrt_rwlock_writer(object) == other->id || holds_rwlock(other, object);
    case TSL_EV_ONCE:
        return tslrt_once_runner(object) == other->id;
    case TSL_EV_JOIN:
        return object == other;
    default:
        return false;
    }
}

static bool is_blocked(const tslrt_fiber *fiber, bool others_run) {
    // A thread that still runs may cancel it there.
    bool in_reach = others_run && fiber->cancel.at_point && fiber->pend.kind != TSL_EV_LOCK;
    return fiber->state == FIBER_LIVE && !tslrt_can_run(fiber) && !in_reach;
}

static bool waits_for_the_lost(const tslrt_fiber *fiber) {
    for (const tslrt_fiber *other = NULL; (other = tslrt_next(other));)
        if ((other->thread.is_stuck || other->state == FIBER_ENDED) && waits_for(fiber, other))
            return true;
    return false;
}

// Takes all blocked threads, then removes those that wait neither for one of these nor for an ended
// thread, until none is left to remove.
bool tslrt_find_stuck(bool others_run) {
    unsigned count = 0;
    for (tslrt_fiber *fiber = NULL; (fiber = tslrt_next(fiber));) {
        fiber->thread.is_stuck = is_blocked(fiber, others_run);
        count += fiber->thread.is_stuck;
    }
    for (unsigned before = count + 1; count < before;) {
        before = count;
        for (tslrt_fiber *fiber = NULL; (fiber = tslrt_next(fiber));)
            if (fiber->thread.is_stuck && !waits_for_the_lost(fiber)) {
                fiber->thread.is_stuck = false;
                count--;
            }
    }
    return count > 0;
}

void tslrt_end_if_stuck(bool others_run) {
    if (!tslrt_find_stuck(others_run))
        return;
    tslrt_end(TSL_OUT_DEADLOCK, 0, NULL, "threads wait for ever while the program %s",
              others_run ? "runs on" : "ends");
}

// For the report: of several owners, prefers one that will never release what it holds.
uint16_t tslrt_owner_of(const tslrt_fiber *fiber) {
    uint16_t owner = TSLRT_NOBODY;
    for (const tslrt_fiber *other = NULL; (other = tslrt_next(other));) {
        if (!waits_for(fiber, other))
            continue;
        owner = other->id;
        if (other->thread.is_stuck || other->state == FIBER_ENDED)
            break;
    }
    return owner;
}
