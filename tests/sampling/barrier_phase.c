// Each thread reads its neighbour's cell and then changes its own.  Between the two a barrier
// is missing: the neighbour may be a phase ahead.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=5000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 2, PHASES = 2 };

static pthread_barrier_t barrier;
static _Atomic int cell[THREADS];

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    for (int phase = 0; phase < PHASES; phase++) {
        int other = cell[(me + 1) % THREADS];
        assert(other == phase); // BUG
#ifdef CORRECT
        pthread_barrier_wait(&barrier);
#endif
        cell[me] = phase + 1;
        pthread_barrier_wait(&barrier);
    }
    return arg;
}

int main(void) {
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
