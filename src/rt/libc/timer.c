// Timers that call a function in a thread of its own (SIGEV_THREAD).
//
// libc would start that thread outside the control of the runtime.  Here, setting such a timer
// creates a thread of the run, which is scheduled like any other, so the timer may expire at any
// moment, before or after it is set again or deleted.  A periodic timer expires only a few times,
// because otherwise no run would end.
//
// All other timers are the kernel's, and send their signals by the real clock; when no thread can
// run, they expire at once (sync/patience.c).
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "../crash.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "timer.h"

enum { PERIODS = 3 };
#define FIRST_TIMER 0x7ea50000ul // the id of the first one; libc does not use such ids

static timer_slot *slot_of(timer_t timer) {
    uintptr_t i = (uintptr_t)timer - FIRST_TIMER;
    if (i >= TSLRT_MAX_TIMERS || tslrt->kind == RT_EARLY)
        return NULL;
    timer_slot *slot = &tslrt_reg_change()->timers[i];
    return slot->used ? slot : NULL;
}

static bool still_set(timer_slot *slot, uint32_t setting) {
    pthread_mutex_lock(&slot->lock);
    bool is = slot->used && slot->setting == setting;
    pthread_mutex_unlock(&slot->lock);
    return is;
}

static void notify(const timer_slot *slot, union sigval value) {
    tslrt_foreign_back((const void *)slot->notify, SELF->pend.site);
    slot->notify(value);
}

static void *expire(void *arg) {
    uintptr_t which = (uintptr_t)arg;
    timer_slot *slot = &tslrt_reg_change()->timers[which % TSLRT_MAX_TIMERS];
    uint32_t setting = (uint32_t)(which / TSLRT_MAX_TIMERS);
    union sigval value = {.sival_ptr = slot->value};
    for (unsigned i = 0; i < (slot->period ? PERIODS : 1) && still_set(slot, setting); i++)
        notify(slot, value);
    return NULL;
}

// ---------------------------------------------------------------- timers of the kernel

static bool is_zero(const struct timespec *t) { return !t->tv_sec && !t->tv_nsec; }

static bool alarm_is_set(struct itimerval *timer) {
    return tslrt_sys2(SYS_getitimer, ITIMER_REAL, timer) == 0 &&
           (timer->it_value.tv_sec || timer->it_value.tv_usec);
}

static bool clock_is_set(unsigned i, struct itimerspec *now) {
    return timer_gettime(RUN->tables.clocks[i].timer, now) == 0 && !is_zero(&now->it_value);
}

static uint64_t bit(int sig) { return 1ull << (sig - 1); }

uint64_t tslrt_timers_set(uint64_t signals) {
    struct itimerval alarm;
    struct itimerspec now;
    uint64_t set = signals & bit(SIGALRM) && alarm_is_set(&alarm) ? bit(SIGALRM) : 0;
    for (unsigned i = 0; i < RUN->libc.nclocks; i++)
        if (signals & bit(RUN->tables.clocks[i].sig) && clock_is_set(i, &now))
            set |= bit(RUN->tables.clocks[i].sig);
    return set;
}

void tslrt_timers_bring(uint64_t signals) {
    struct itimerval alarm;
    struct itimerspec now;
    if (signals & bit(SIGALRM) && alarm_is_set(&alarm)) {
        alarm.it_value = (struct timeval){.tv_usec = 1};
        tslrt_sys3(SYS_setitimer, ITIMER_REAL, &alarm, NULL);
    }
    for (unsigned i = 0; i < RUN->libc.nclocks; i++)
        if (signals & bit(RUN->tables.clocks[i].sig) && clock_is_set(i, &now)) {
            now.it_value = (struct timespec){.tv_nsec = 1};
            timer_settime(RUN->tables.clocks[i].timer, 0, &now, NULL);
        }
}

// Stops the timers of this run, so that they do not expire in the next one.
void tslrt_timers_stop(void) {
    static const struct itimerval none;
    tslrt_sys3(SYS_setitimer, ITIMER_REAL, &none, NULL);
    while (RUN->libc.nclocks > 0)
        timer_delete(RUN->tables.clocks[0].timer);
}

static int make_timer(clockid_t clock, struct sigevent *event, timer_t *timer) {
    bool signals = !event || event->sigev_notify == SIGEV_SIGNAL;
    bool passes = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
    int sig = event ? event->sigev_signo : SIGALRM;
    int error = TSLRT_REAL(timer_create)(clock, event, timer);
    if (error || !signals || tslrt->kind == RT_EARLY || sig < 1 || sig > 64)
        return error;
    if (passes && RUN->libc.nclocks < TSLRT_MAX_CLOCKS) {
        RUN->tables.clocks[RUN->libc.nclocks].timer = *timer;
        RUN->tables.clocks[RUN->libc.nclocks++].sig = sig;
    }
    tslrt_signal_from_timer(sig);
    return 0;
}

static int delete_timer(timer_t timer) {
    for (unsigned i = 0; tslrt->kind != RT_EARLY && i < RUN->libc.nclocks; i++)
        if (RUN->tables.clocks[i].timer == timer)
            RUN->tables.clocks[i] = RUN->tables.clocks[--RUN->libc.nclocks];
    return TSLRT_REAL(timer_delete)(timer);
}

// Only ITIMER_REAL goes by the real clock; the others count processor time.
API int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
                  struct itimerval *restrict old) {
    if (which == ITIMER_REAL && tslrt->kind != RT_EARLY)
        tslrt_signal_from_timer(SIGALRM);
    return (int)tslrt_returned(tslrt_sys3(SYS_setitimer, which, new, old));
}

static struct timeval alarm_in(struct timeval time, struct timeval period) {
    struct itimerval to = {.it_value = time, .it_interval = period}, old = {0};
    setitimer(ITIMER_REAL, &to, &old);
    return old.it_value;
}

// The time left is rounded to seconds, but not to 0.
API unsigned alarm(unsigned seconds) {
    struct timeval left =
        alarm_in((struct timeval){.tv_sec = (time_t)seconds}, (struct timeval){0});
    return (unsigned)left.tv_sec + (left.tv_usec >= 500000 || (!left.tv_sec && left.tv_usec));
}

API useconds_t ualarm(useconds_t us, useconds_t period) {
    struct timeval left = alarm_in((struct timeval){us / 1000000, us % 1000000},
                                   (struct timeval){period / 1000000, period % 1000000});
    return (useconds_t)(left.tv_sec * 1000000 + left.tv_usec);
}

// ---------------------------------------------------------------- the functions

API int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    if (!event || event->sigev_notify != SIGEV_THREAD || tslrt->kind == RT_EARLY)
        return make_timer(clock, event, timer);
    tslrt_registry *reg = tslrt_reg_change();
    for (uintptr_t i = 0; i < TSLRT_MAX_TIMERS; i++) {
        timer_slot *slot = &reg->timers[i];
        if (slot->used)
            continue;
        *slot = (timer_slot){.used = true,
                             .notify = (void (*)(union sigval))event->sigev_notify_function,
                             .value = event->sigev_value.sival_ptr,
                             .lock = PTHREAD_MUTEX_INITIALIZER};
        *timer = (timer_t)(FIRST_TIMER + i);
        return 0;
    }
    return tslrt_fail(EAGAIN);
}

API int timer_delete(timer_t timer) {
    timer_slot *slot = slot_of(timer);
    if (!slot)
        return delete_timer(timer);
    pthread_mutex_lock(&slot->lock);
    slot->setting++;
    pthread_mutex_unlock(&slot->lock);
    return 0;
}

API int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict to,
                      struct itimerspec *restrict old) {
    timer_slot *slot = slot_of(timer);
    if (!slot)
        return TSLRT_REAL(timer_settime)(timer, flags, to, old);
    pthread_mutex_lock(&slot->lock);
    uintptr_t setting = ++slot->setting;
    slot->period = !is_zero(&to->it_interval);
    pthread_mutex_unlock(&slot->lock);
    if (old)
        memset(old, 0, sizeof *old);
    if (is_zero(&to->it_value))
        return 0;
    pthread_t thread;
    uintptr_t which = setting * TSLRT_MAX_TIMERS + (uintptr_t)(slot - tslrt_reg()->timers);
    if (pthread_create(&thread, NULL, expire, (void *)which) != 0)
        return tslrt_fail(EAGAIN);
    pthread_detach(thread);
    return 0;
}

API int timer_gettime(timer_t timer, struct itimerspec *to) {
    if (!slot_of(timer))
        return TSLRT_REAL(timer_gettime)(timer, to);
    memset(to, 0, sizeof *to);
    return 0;
}

API int timer_getoverrun(timer_t timer) {
    return slot_of(timer) ? 0 : TSLRT_REAL(timer_getoverrun)(timer);
}
