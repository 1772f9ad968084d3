// The consumer looks, lets go of the lock, and then waits for a signal that has been sent.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *produce(void *arg) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *consume(void *arg) {
    pthread_mutex_lock(&lock);
#ifdef CORRECT
    while (items == 0)
        pthread_cond_wait(&filled, &lock);
#else
    int seen = items;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (seen == 0)
        pthread_cond_wait(&filled, &lock); // BUG
#endif
    items--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL); // BUG
    return 0;
}
