// Dekker's mutual exclusion: a loop in a loop, and writes in the outer one.
// teasel: strategies=optimal,source,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int count;

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[!me]))
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me)
                ;
            atomic_store(&wants[me], 1);
        }
    count++;
    atomic_store(&turn, !me);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
    return 0;
}
