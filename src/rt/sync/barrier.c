// Barriers: ARRIVE never blocks; LEAVE is enabled once the round is full.  The
// thread that fills the round is the serial one.
#include <errno.h>
#include <string.h>

#include "objects.h"

typedef struct barrier { // laid over pthread_barrier_t
    uint32_t state;
    uint32_t needed, arrived, inside;
} barrier;

_Static_assert(sizeof(barrier) <= sizeof(pthread_barrier_t), "fits");

static barrier *over(pthread_barrier_t *b) { return (barrier *)b; }

static void check_usable(pthread_barrier_t *b, const char *what) {
    if (over(b)->state == TSLRT_DESTROYED)
        tslrt_misuse(b, "%s a barrier that was destroyed", what);
    if (over(b)->state != TSLRT_ALIVE)
        tslrt_misuse(b, "%s a barrier that was never initialised", what);
}

static void release_round(pthread_barrier_t *b) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && f->barrier == b)
            f->released = true;
    }
    over(b)->arrived = 0;
    tslrt_changed(b);
}

API int pthread_barrier_wait(pthread_barrier_t *b) {
    tslrt_fiber *self = SELF;
    uint32_t site = TSL_HOT->call_site;
    tslrt_op(TSL_EV_BARRIER_ARRIVE, b);
    check_usable(b, "wait at");
    self->barrier = b;
    self->released = false;
    over(b)->inside++;
    over(b)->arrived++;
    tslrt_wrote(b, sizeof *b);
    bool last = over(b)->arrived == over(b)->needed;
    if (last)
        release_round(b);
    TSL_HOT->call_site = site;
    tslrt_op(TSL_EV_BARRIER_LEAVE, b);
    self->barrier = NULL;
    over(b)->inside--;
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

API int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
                             unsigned count) {
    (void)attr;
    if (count == 0)
        return EINVAL;
    tslrt_op(TSL_EV_BARRIER_INIT, b);
    if (over(b)->state == TSLRT_ALIVE && over(b)->inside && over(b)->inside <= over(b)->needed)
        tslrt_misuse(b, "init of a barrier that threads wait at");
    memset(b, 0, sizeof *b);
    *over(b) = (barrier){.state = TSLRT_ALIVE, .needed = count};
    tslrt_wrote(b, sizeof *b);
    return 0;
}

API int pthread_barrier_destroy(pthread_barrier_t *b) {
    tslrt_op(TSL_EV_BARRIER_DESTROY, b);
    check_usable(b, "destroy");
    // Threads of a full round that have not left yet are waited for by libc.
    if (over(b)->arrived)
        tslrt_misuse(b, "destroy of a barrier that threads wait at");
    over(b)->state = TSLRT_DESTROYED;
    tslrt_wrote(b, sizeof *b);
    return 0;
}

API int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    memset(attr, 0, sizeof *attr);
    tslrt_wrote(attr, sizeof *attr);
    return 0;
}

API int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
    (void)attr;
    return 0;
}

API int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    *(int *)attr = shared;
    tslrt_wrote(attr, sizeof *attr);
    return 0;
}

API int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *shared) {
    *shared = *(const int *)attr;
    tslrt_wrote(shared, sizeof *shared);
    return 0;
}
