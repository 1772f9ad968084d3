// A barrier for half of the threads there are: it opens before all have put their part.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=5000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 4 };

static pthread_barrier_t barrier;
static _Atomic int part[THREADS];

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    part[me] = me + 1;
    pthread_barrier_wait(&barrier);
    int sum = part[0] + part[1] + part[2] + part[3];
    assert(sum == 10); // BUG
    return arg;
}

int main(void) {
    pthread_t thread[THREADS];
#ifdef CORRECT
    pthread_barrier_init(&barrier, NULL, THREADS);
#else
    pthread_barrier_init(&barrier, NULL, THREADS / 2);
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
