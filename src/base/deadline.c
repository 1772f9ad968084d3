// One timer, one flag; see deadline.h.
#include "base/deadline.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#include "base/clock.h"

volatile int tsl_deadline_flag;

static volatile sig_atomic_t interrupted;
static double end;       // 0: none
static jmp_buf *landing; // where to jump when work is left in the middle

static void on_alarm(int sig) {
    (void)sig;
    tsl_deadline_flag = 1;
}

static void set_timer(double seconds) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
    if (seconds < 1e-4) // a timer of 0 would never fire
        seconds = 1e-4;
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)seconds,
                     .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void tsl_deadline_begin(double seconds) {
    if (seconds <= 0)
        return;
    end = tsl_clock_now() + seconds;
    set_timer(seconds);
}

static void on_interrupt(int sig) {
    (void)sig;
    interrupted = 1;
    tsl_deadline_flag = 1;
}

void tsl_deadline_heed_signals(void) {
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
}

void tsl_deadline_extend(double seconds) {
    double now = tsl_clock_now();
    if (!interrupted && end == 0)
        return;
    end = interrupted ? now + seconds : end + seconds;
    tsl_deadline_flag = 0;
    set_timer(end - now);
}

bool tsl_deadline_interrupted(void) { return interrupted != 0; }

double tsl_deadline_left(void) {
    if (tsl_deadline_passed())
        return 0;
    if (end == 0)
        return HUGE_VAL;
    double left = end - tsl_clock_now();
    return left > 0 ? left : 0;
}

bool tsl_deadline_run(void (*work)(void *self), void *self) {
    jmp_buf here;
    if (setjmp(here)) {
        landing = NULL;
        return false;
    }
    landing = &here;
    work(self);
    landing = NULL;
    return true;
}

void tsl_deadline_leave(void) {
    if (landing)
        longjmp(*landing, 1);
}
