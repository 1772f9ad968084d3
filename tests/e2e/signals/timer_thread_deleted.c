// Whether the timer comes before it is deleted is not known.
// teasel: strategies=dfs,optimal,random runs=1000
// expect: assertion at=BUG_LATE
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int rung;

static void ring(union sigval value) { rung += value.sival_int; }

int main(void) {
    timer_t timer;
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring, .sigev_value.sival_int = 1};
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    timer_delete(timer);
    if (rung)
        return 0;
    assert(rung == 0); // BUG_LATE: the thread that was on its way still comes
    return 0;
}
