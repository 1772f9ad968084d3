// Virtual time.
//
// Every thread has a clock of its own, so that the time it reads depends on its history and not on
// how other threads are scheduled.  A clock only moves forward: a little at each look, and at each
// sleep by its length.  A new thread starts with its creator's time.  When a thread synchronises
// with another one, its clock moves at least to the other's time.
//
// Time orders nothing: a sleep is a step like any other, after which every enabled thread may run.
#include <sched.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#include "../notes.h"
#include "../quick.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "time.h"

enum { LOOK_NS = 1000 };
#define SECOND 1000000000ull
#define EPOCH (1700000000ull * SECOND)

static uint64_t *own_clock(void) { return &SELF->clock_ns; }

static uint64_t look(void) {
    tslrt_init();
    TSL_HOT->effect_at = TSL_HOT->cursor; // a loop that looks at the clock does not wait
    return *own_clock() += LOOK_NS;
}

uint64_t tslrt_clock_look(void) { return look() - EPOCH; }

void tslrt_clock_pass(uint64_t ns) { *own_clock() += ns; }

static bool is_wall(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

API int clock_gettime(clockid_t clock, struct timespec *ts) {
    if (clock > 64)
        return tslrt_fail(EINVAL);
    uint64_t ns = look() - (is_wall(clock) ? 0 : EPOCH - SECOND);
    *ts = (struct timespec){.tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND)};
    tslrt_wrote(ts, sizeof *ts);
    return 0;
}

API int clock_getres(clockid_t clock, struct timespec *ts) {
    (void)clock;
    if (ts) {
        *ts = (struct timespec){.tv_nsec = 1};
        tslrt_wrote(ts, sizeof *ts);
    }
    return 0;
}

API int clock_settime(clockid_t clock, const struct timespec *ts) {
    (void)clock;
    (void)ts;
    return tslrt_fail(EPERM);
}

API int timespec_get(struct timespec *ts, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, ts) == 0 ? base : 0;
}

API time_t time(time_t *to) {
    time_t now = (time_t)(look() / SECOND);
    if (to) {
        *to = now;
        tslrt_wrote(to, sizeof *to);
    }
    return now;
}

API int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
    (void)zone;
    uint64_t ns = look();
    *tv = (struct timeval){.tv_sec = (time_t)(ns / SECOND),
                           .tv_usec = (suseconds_t)(ns % SECOND / 1000)};
    tslrt_wrote(tv, sizeof *tv);
    return 0;
}

API clock_t clock(void) { return (clock_t)((look() - EPOCH) / 1000); }

// The running thread gave up waiting, so its clock moves to the end of the wait.
void tslrt_clock_reached(int clock_id, const struct timespec *until) {
    tslrt_symbols_taken(until, sizeof *until);
    uint64_t ns = (uint64_t)until->tv_sec * SECOND + (uint64_t)until->tv_nsec;
    ns += is_wall(clock_id) ? 0 : EPOCH - SECOND;
    if (until->tv_sec >= 0)
        tslrt_clock_take(ns);
}

// ---------------------------------------------------------------- sleeping

void tslrt_sleep_step(uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt_cancel_point();
    TSL_HOT->call_site = site;
    tslrt_cancellable_op(TSL_EV_SLEEP, NULL);
}

// The step of a sleep, which reads `ts` and writes `left` unless they are NULL.
static void sleep_step(const struct timespec *ts, const struct timespec *left) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_sleep_step(site);
    if (ts)
        tslrt_call_reads(ts, sizeof *ts, site);
    if (left)
        tslrt_also(TSL_EV_WRITE, left, 0, 4);
}

static void sleep_for(uint64_t ns) {
    tslrt_clock_pass(ns);
    tslrt_yielded();
}

API unsigned sleep(unsigned seconds) {
    sleep_step(NULL, NULL);
    sleep_for(seconds * SECOND);
    return 0;
}

API int usleep(useconds_t us) {
    sleep_step(NULL, NULL);
    sleep_for(us * 1000ull);
    return 0;
}

static bool valid(const struct timespec *ts) {
    return ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < (long)SECOND;
}

// `ts` is read when the step was scheduled.
static int sleeps(const struct timespec *ts, struct timespec *left) {
    sleep_step(ts, left);
    if (!valid(ts))
        return EINVAL;
    sleep_for((uint64_t)ts->tv_sec * SECOND + (uint64_t)ts->tv_nsec);
    if (left) {
        *left = (struct timespec){0};
        tslrt_wrote(left, sizeof *left);
    }
    return 0;
}

API int nanosleep(const struct timespec *ts, struct timespec *left) {
    return (int)tslrt_returned(-sleeps(ts, left));
}

API int clock_nanosleep(clockid_t clock, int flags, const struct timespec *ts,
                        struct timespec *left) {
    if (!(flags & TIMER_ABSTIME))
        return sleeps(ts, left);
    sleep_step(ts, NULL);
    if (!valid(ts))
        return EINVAL;
    sleep_for(0);
    tslrt_clock_reached(clock, ts);
    return 0;
}

API int sched_yield(void) {
    tslrt_op(TSL_EV_YIELD, NULL);
    tslrt_yielded();
    return 0;
}

API int pause(void) { return tslrt_suspend(NULL, TSL_HOT->call_site); }
