// A timer that calls a function in a thread of its own: that is a thread of the run, and may come at any moment.
// teasel: strategies=dfs,optimal runs=1000
// expect: clean
// expect: verdict ~ complete, but
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t rung;

static void ring(union sigval value) {
    assert(value.sival_int == 7);
    sem_post(&rung);
}

int main(void) {
    timer_t timer;
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring, .sigev_value.sival_int = 7};
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    sem_init(&rung, 0, 0);
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    assert(timer_settime(timer, 0, &soon, NULL) == 0);
    sem_wait(&rung);
    assert(timer_delete(timer) == 0);
    return 0;
}
