// Length and sum belong together.  Each access is locked, the pair is not.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length, sum;

static void *append(void *arg) {
    pthread_mutex_lock(&lock);
    length++;
#ifndef CORRECT
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    sum += 7;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *average(void *arg) {
    pthread_mutex_lock(&lock);
    int seen_length = length, seen_sum = sum;
    pthread_mutex_unlock(&lock);
    assert(seen_sum == 7 * seen_length); // BUG
    return arg;
}

int main(void) {
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, append, NULL);
    pthread_create(&thread[1], NULL, append, NULL);
    pthread_create(&thread[2], NULL, average, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
