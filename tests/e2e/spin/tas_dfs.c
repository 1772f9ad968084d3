// Every interleaving of two threads at a lock made of an exchange; and all with few preemptions.
// teasel: strategies=dfs runs=1000000
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l;
static int count;

static void *work(void *arg) {
    (void)arg;
    while (atomic_exchange(&l, 1))
        ;
    count++;
    atomic_store(&l, 0);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 2);
    return 0;
}
