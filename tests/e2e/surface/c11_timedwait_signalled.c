// cnd_timedwait with a signal on its way: being woken is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <threads.h>
#include <time.h>

#ifndef RESULT
#define RESULT thrd_success
#endif

static mtx_t lock;
static cnd_t cond;

static int signaller(void *arg) {
    (void)arg;
    mtx_lock(&lock);
    cnd_signal(&cond);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec until;
    mtx_init(&lock, mtx_plain);
    cnd_init(&cond);
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 60;
    mtx_lock(&lock);
    thrd_create(&thread, signaller, NULL);
    assert(cnd_timedwait(&cond, &lock, &until) != RESULT); // BUG
    mtx_unlock(&lock);
    thrd_join(thread, NULL);
    return 0;
}
