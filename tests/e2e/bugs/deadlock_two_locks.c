// Two locks taken in two orders.
// teasel: strategies=random,dfs runs=2000
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // BUG
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *two(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // BUG
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, two, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
