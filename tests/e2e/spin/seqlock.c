// A reader that tries again until nobody wrote meanwhile.
// teasel: strategies=optimal,dpor,source,random runs=200000
// expect: clean on=random
// expect: complete on=optimal,dpor,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int a, b;

static void *writes(void *arg) {
    (void)arg;
    atomic_fetch_add(&version, 1);
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    atomic_fetch_add(&version, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    unsigned before;
    int x, y;
    do {
        while ((before = atomic_load(&version)) & 1)
            ;
        x = atomic_load(&a);
        y = atomic_load(&b);
    } while (atomic_load(&version) != before);
    assert(x == y);
    pthread_join(t, NULL);
    return 0;
}
