// Barriers: ARRIVE never blocks; LEAVE is enabled once the round is full.
//
// The first thread of a round to leave is the serial one.  If it were the last to arrive, arrivals
// would not commute.  Leaving is ordered only among threads that look at the result.
#include <string.h>

#include "../notes.h"
#include "../quick.h"
#include "objects.h"

typedef struct barrier { // laid over pthread_barrier_t
    uint32_t state;
    uint32_t needed, arrived, inside;
    uint32_t round;
} barrier;

_Static_assert(sizeof(barrier) <= sizeof(pthread_barrier_t), "fits");

static barrier *over(pthread_barrier_t *b) { return (barrier *)b; }

static void check_usable(pthread_barrier_t *b, const char *use) {
    tslrt_check_state(b, over(b)->state, use, "a barrier");
}

static bool is_in_round(const tslrt_fiber *f, const pthread_barrier_t *b, uint32_t round) {
    return f->barrier.at == b && f->barrier.round == round;
}

static void release_round(pthread_barrier_t *b) {
    uint64_t latest = 0;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (is_in_round(f, b, over(b)->round) && f->clock_ns > latest)
            latest = f->clock_ns;
    for (tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (is_in_round(f, b, over(b)->round)) {
            f->barrier.released = f->barrier.may_be_serial = true;
            f->clock_ns = latest;
        }
    over(b)->arrived = 0;
    over(b)->round++;
    tslrt_changed(b);
}

static bool is_first_to_leave(pthread_barrier_t *b) {
    if (!SELF->barrier.may_be_serial)
        return false;
    for (tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (is_in_round(f, b, SELF->barrier.round))
            f->barrier.may_be_serial = false;
    return true;
}

API int pthread_barrier_wait(pthread_barrier_t *b) {
    tslrt_fiber *self = SELF;
    uint32_t site = TSL_HOT->call_site;
    bool ignored = self->barrier.ignores_serial;
    self->barrier.ignores_serial = false;
    tslrt_op_on(TSL_EV_BARRIER_ARRIVE, b, TSL_SYNC_BARRIER);
    check_usable(b, "wait at");
    self->barrier.at = b;
    self->barrier.released = self->barrier.may_be_serial = false;
    self->barrier.round = over(b)->round;
    over(b)->inside++;
    over(b)->arrived++;
    tslrt_wrote(b, sizeof *b);
    uint32_t lacks = over(b)->needed - over(b)->arrived;
    tslrt_result(lacks < 0xffff ? lacks : 0xffff);
    if (lacks == 0)
        release_round(b);
    TSL_HOT->call_site = site;
    tslrt_op_sized(TSL_EV_BARRIER_LEAVE, b, TSL_SYNC_BARRIER);
    // In libc, destroying waits until all threads have left.  So if the barrier is destroyed and
    // its memory freed while this thread has not left yet, that is no error.
    bool gone = over(b)->state == TSLRT_DESTROYED;
    if (!gone)
        tslrt_object_check(TSL_EV_BARRIER_LEAVE, b, TSL_SYNC_BARRIER, site);
    bool serial = is_first_to_leave(b);
    if (!ignored)
        tslrt_also(TSL_EV_ONCE, (const char *)b + 1, serial, 0);
    self->barrier.at = NULL;
    if (!gone)
        over(b)->inside--;
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// The instrumenter redirects calls here if their result is not used.  This calls the public name,
// because the program may have defined that function itself.
__attribute__((visibility("default"))) int __teasel_barrier_wait_ignored(pthread_barrier_t *b) {
    SELF->barrier.ignores_serial = true;
    return pthread_barrier_wait(b);
}

API int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
                             unsigned count) {
    if (count == 0)
        return EINVAL;
    tslrt_reads_first(attr, sizeof *attr);
    tslrt_op_on(TSL_EV_BARRIER_INIT, b, TSL_SYNC_BARRIER);
    if (over(b)->state == TSLRT_ALIVE && over(b)->inside && over(b)->inside <= over(b)->needed)
        tslrt_misuse(b, "init of a barrier that threads wait at");
    memset(b, 0, sizeof *b);
    *over(b) = (barrier){.state = TSLRT_ALIVE, .needed = count};
    tslrt_wrote(b, sizeof *b);
    return 0;
}

API int pthread_barrier_destroy(pthread_barrier_t *b) {
    tslrt_op_on(TSL_EV_BARRIER_DESTROY, b, TSL_SYNC_BARRIER);
    check_usable(b, "destroy");
    // Threads of a full round that have not left yet do no harm: libc waits for them.
    if (over(b)->arrived)
        tslrt_misuse(b, "destroy of a barrier that threads wait at");
    over(b)->state = TSLRT_DESTROYED;
    tslrt_wrote(b, sizeof *b);
    return 0;
}
