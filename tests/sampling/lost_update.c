// Three threads add to a total, each reading it first: an addition is lost.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };

static _Atomic int total;

static void *add(void *arg) {
#ifdef CORRECT
    total += 5;
#else
    int before = total;
    total = before + 5;
#endif
    return arg;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(total == 5 * THREADS); // BUG
    return 0;
}
