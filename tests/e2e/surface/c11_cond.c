// C11 cnd_*: wait, timedwait, signal, broadcast.
// teasel: strategies=random runs=500
// expect: clean
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t go, arrived;
static int waiting, open, left;

static int worker(void *arg) {
    (void)arg;
    mtx_lock(&lock);
    waiting++;
    assert(cnd_signal(&arrived) == thrd_success);
    while (!open)
        assert(cnd_wait(&go, &lock) == thrd_success);
    left++;
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t a, b;
    struct timespec past = {1, 0}, until;
    int r = thrd_success;

    assert(mtx_init(&lock, mtx_timed) == thrd_success);
    assert(cnd_init(&go) == thrd_success);
    assert(cnd_init(&arrived) == thrd_success);

    mtx_lock(&lock);
    assert(cnd_timedwait(&go, &lock, &past) == thrd_timedout);
    assert(mtx_trylock(&lock) == thrd_busy);
    thrd_create(&a, worker, NULL);
    thrd_create(&b, worker, NULL);
    while (waiting < 2)
        cnd_wait(&arrived, &lock);
    assert(timespec_get(&until, TIME_UTC) == TIME_UTC);
    until.tv_nsec = 0;
    while (r == thrd_success)
        r = cnd_timedwait(&arrived, &lock, &until);
    assert(r == thrd_timedout);
    open = 1;
    assert(cnd_broadcast(&go) == thrd_success);
    mtx_unlock(&lock);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(left == 2);
    cnd_destroy(&go);
    cnd_destroy(&arrived);
    mtx_destroy(&lock);
    return 0;
}
