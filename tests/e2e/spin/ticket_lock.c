// A ticket lock: whoever draws later comes later.
// teasel: strategies=optimal,dpor,source,random runs=200000
// expect: clean on=random
// expect: complete on=optimal,dpor,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int count;

static void *work(void *arg) {
    (void)arg;
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        ;
    count++;
    atomic_store(&serving, mine + 1);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 3);
    return 0;
}
