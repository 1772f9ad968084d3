// Producers and consumers wait for one condition, and one of them is woken: it may be the
// wrong one.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

#ifdef CORRECT
#define wake pthread_cond_broadcast
#else
#define wake pthread_cond_signal
#endif

static void set(int value) {
    pthread_mutex_lock(&lock);
    while (full == value)
        pthread_cond_wait(&changed, &lock); // BUG
    full = value;
    wake(&changed);
    pthread_mutex_unlock(&lock);
}

static void *produce(void *arg) {
    set(1);
    return arg;
}

static void *consume(void *arg) {
    set(0);
    return arg;
}

int main(void) {
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, i % 2 ? consume : produce, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL); // BUG
    return 0;
}
