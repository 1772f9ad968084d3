// C11 tss_*: create, get, set, delete, destructors.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <stdint.h>
#include <threads.h>

static tss_t key, quiet;
static _Atomic int destroyed;

static void destroy(void *value) { destroyed += (int)(intptr_t)value; }

static int worker(void *arg) {
    assert(tss_get(key) == NULL);
    assert(tss_set(key, arg) == thrd_success);
    assert(tss_set(quiet, arg) == thrd_success);
    thrd_yield();
    assert(tss_get(key) == arg);
    return 0;
}

int main(void) {
    thrd_t a, b;
    assert(tss_create(&key, destroy) == thrd_success);
    assert(tss_create(&quiet, NULL) == thrd_success);
    assert(tss_set(key, &key) == thrd_success);
    thrd_create(&a, worker, (void *)1);
    thrd_create(&b, worker, (void *)10);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(destroyed == 11);
    assert(tss_get(key) == &key);
    tss_delete(key);
    tss_delete(quiet);
    return 0;
}
