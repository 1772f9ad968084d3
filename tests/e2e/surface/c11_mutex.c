// C11 mtx_*: plain, recursive, timed; lock, trylock, timedlock, unlock, destroy.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed, both;
static int counter;

static int other(void *arg) {
    struct timespec past = {1, 0};
    (void)arg;
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_trylock(&recursive) == thrd_busy);
    assert(mtx_trylock(&timed) == thrd_busy);
    assert(mtx_timedlock(&timed, &past) == thrd_timedout);
    assert(mtx_timedlock(&both, &past) == thrd_timedout);
    return 0;
}

static int add(void *arg) {
    (void)arg;
    assert(mtx_lock(&plain) == thrd_success);
    counter++;
    assert(mtx_unlock(&plain) == thrd_success);
    return 0;
}

int main(void) {
    thrd_t a, b;
    struct timespec past = {1, 0};
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_init(&both, mtx_timed | mtx_recursive) == thrd_success);

    assert(mtx_lock(&plain) == thrd_success);
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    assert(mtx_timedlock(&timed, &past) == thrd_success);
    assert(mtx_timedlock(&both, &past) == thrd_success);
    assert(mtx_timedlock(&both, &past) == thrd_success);
    thrd_create(&a, other, NULL);
    thrd_join(a, NULL);
    assert(mtx_unlock(&plain) == thrd_success);
    for (int i = 0; i < 3; i++)
        assert(mtx_unlock(&recursive) == thrd_success);
    assert(mtx_unlock(&timed) == thrd_success);
    assert(mtx_unlock(&both) == thrd_success);
    assert(mtx_unlock(&both) == thrd_success);

    thrd_create(&a, add, NULL);
    thrd_create(&b, add, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(counter == 2);
    mtx_destroy(&plain);
    mtx_destroy(&recursive);
    mtx_destroy(&timed);
    mtx_destroy(&both);
    return 0;
}
