// C11 lets a thread destroy a mutex that it holds, if nobody waits for it.
// teasel: strategies=dfs,optimal
// expect: clean
#include <assert.h>
#include <threads.h>

static int worker(void *arg) {
    (void)arg;
    mtx_t mutex;
    for (int i = 0; i < 2; i++) {
        assert(mtx_init(&mutex, i ? mtx_plain : mtx_recursive) == thrd_success);
        assert(mtx_lock(&mutex) == thrd_success);
        mtx_destroy(&mutex);
    }
    return 0;
}

int main(void) {
    thrd_t t;
    assert(thrd_create(&t, worker, NULL) == thrd_success);
    worker(NULL);
    assert(thrd_join(t, NULL) == thrd_success);
    return 0;
}
