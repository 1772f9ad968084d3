// Five threads around a table of five locks, each taking its own and then its neighbour's.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000
// expect: deadlock at=BUG
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 5 };

static pthread_mutex_t lock[THREADS] = {[0 ... THREADS - 1] = PTHREAD_MUTEX_INITIALIZER};
static int meals[THREADS]; // under the locks on both sides

static void *dine(void *arg) {
    int me = (int)(intptr_t)arg, first = me, second = (me + 1) % THREADS;
#ifdef CORRECT
    if (second < first) {
        first = second;
        second = me;
    }
#endif
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]); // BUG
    meals[me]++;
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
    return arg;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, dine, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL); // BUG
    return 0;
}
