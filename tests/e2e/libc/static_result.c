// localtime hands out memory of its own: the next call overwrites what an earlier one was given.
// teasel: strategies=optimal,dfs runs=20000 flags=--keep-going
// expect: race at=BUG_ASKS
// expect: race at=BUG_ASKS,BUG_FOUND
// expect: assertion at=BUG_FOUND
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *asks(void *arg) {
    const time_t *when = arg;
    const struct tm *tm = gmtime(when);             // BUG_ASKS
    assert(tm->tm_year == (*when == 0 ? 70 : 101)); // BUG_FOUND
    return NULL;
}

int main(void) {
    static const time_t early = 0, late = 1000000000;
    pthread_t a, b;
    pthread_create(&a, NULL, asks, (void *)&early);
    pthread_create(&b, NULL, asks, (void *)&late);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
