// time, clock_gettime and gettimeofday store where they are told to.
// teasel: strategies=optimal,dfs runs=5000 flags=--keep-going
// expect: race at=BUG_TIME
// expect: race at=BUG_CLOCK
// expect: race at=BUG_DAY
// expect: races count=3
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static time_t now;
static struct timespec clock_now;
static struct timeval day;

static void *asks(void *arg) {
    time(&now);                                // BUG_TIME
    clock_gettime(CLOCK_REALTIME, &clock_now); // BUG_CLOCK
    gettimeofday(&day, NULL);                  // BUG_DAY
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, asks, NULL);
    time_t seen = now;         // BUG_TIME
    seen += clock_now.tv_nsec; // BUG_CLOCK
    seen += day.tv_usec;       // BUG_DAY
    pthread_join(t, NULL);
    return seen == 12345;
}
