// Timers that call a function in a thread of its own (SIGEV_THREAD).
//
// libc would start that thread behind the runtime's back.  Here arming such a timer creates a thread of the run: when it
// runs is explored as for any other, so the timer may expire at any moment, and before or after it is set anew or
// deleted.  A periodic timer expires a few times and is silent then, for else no run would end.  All other timers are
// libc's.
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "../extern.h"
#include "../sync/objects.h"

enum { PERIODS = 3 };
#define FIRST_TIMER 0x7ea50000ul // what the first one is called, which no timer of libc's is

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

// ---------------------------------------------------------------- the functions

API int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    int (*real)(clockid_t, struct sigevent *, timer_t *) =
        (int (*)(clockid_t, struct sigevent *, timer_t *))dlsym(RTLD_NEXT, "timer_create");
    if (!event || event->sigev_notify != SIGEV_THREAD || tslrt->kind == RT_EARLY)
        return real(clock, event, timer);
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
    errno = EAGAIN;
    return -1;
}

API int timer_delete(timer_t timer) {
    int (*real)(timer_t) = (int (*)(timer_t))dlsym(RTLD_NEXT, "timer_delete");
    timer_slot *slot = slot_of(timer);
    if (!slot)
        return real(timer);
    pthread_mutex_lock(&slot->lock);
    slot->setting++;
    pthread_mutex_unlock(&slot->lock);
    return 0;
}

static bool is_zero(const struct timespec *t) { return !t->tv_sec && !t->tv_nsec; }

API int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict to,
                      struct itimerspec *restrict old) {
    int (*real)(timer_t, int, const struct itimerspec *, struct itimerspec *) =
        (int (*)(timer_t, int, const struct itimerspec *, struct itimerspec *))dlsym(
            RTLD_NEXT, "timer_settime");
    timer_slot *slot = slot_of(timer);
    if (!slot)
        return real(timer, flags, to, old);
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
    if (pthread_create(&thread, NULL, expire, (void *)which) != 0) {
        errno = EAGAIN;
        return -1;
    }
    pthread_detach(thread);
    return 0;
}

API int timer_gettime(timer_t timer, struct itimerspec *to) {
    int (*real)(timer_t, struct itimerspec *) =
        (int (*)(timer_t, struct itimerspec *))dlsym(RTLD_NEXT, "timer_gettime");
    if (!slot_of(timer))
        return real(timer, to);
    memset(to, 0, sizeof *to);
    return 0;
}

API int timer_getoverrun(timer_t timer) {
    int (*real)(timer_t) = (int (*)(timer_t))dlsym(RTLD_NEXT, "timer_getoverrun");
    return slot_of(timer) ? 0 : real(timer);
}
