// C11 thrd_create, join, detach, exit, current, equal, yield, sleep; call_once.
// teasel: strategies=random,dfs runs=300
// expect: clean
#include <assert.h>
#include <threads.h>
#include <time.h>

static once_flag flag = ONCE_FLAG_INIT;
static int initialised;
static mtx_t lock;
static cnd_t changed;
static int detached_done;
static thrd_t seen;

static void init(void) { initialised++; }

static int by_return(void *arg) {
    call_once(&flag, init);
    assert(initialised == 1);
    seen = thrd_current();
    return *(int *)arg + 1;
}

static int by_exit(void *arg) {
    call_once(&flag, init);
    assert(initialised == 1);
    thrd_yield();
    thrd_exit(*(int *)arg + 2);
}

static int detached(void *arg) {
    mtx_lock(&lock);
    detached_done = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    (void)arg;
    return 0;
}

int main(void) {
    thrd_t a, b;
    int n = 40, result;
    struct timespec t = {0, 1000};

    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(thrd_equal(thrd_current(), thrd_current()));

    assert(thrd_create(&a, by_return, &n) == thrd_success);
    assert(thrd_create(&b, by_exit, &n) == thrd_success);
    assert(!thrd_equal(a, b));
    assert(thrd_join(a, &result) == thrd_success && result == 41);
    assert(thrd_equal(seen, a));
    assert(thrd_join(b, &result) == thrd_success && result == 42);

    assert(thrd_create(&a, detached, NULL) == thrd_success);
    assert(thrd_detach(a) == thrd_success);
    mtx_lock(&lock);
    while (!detached_done)
        assert(cnd_wait(&changed, &lock) == thrd_success);
    mtx_unlock(&lock);

    assert(thrd_sleep(&t, NULL) == 0);
    thrd_yield();
    return 0;
}
