// Two wait, one is woken: signal where broadcast was needed.
// teasel: strategies=random runs=5000
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int open;

static void *waiter(void *arg) {
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&cond, &lock); // BUG
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    open = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL); // BUG
    pthread_join(b, NULL); // BUG
    return 0;
}
