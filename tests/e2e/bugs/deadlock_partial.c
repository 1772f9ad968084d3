// Two detached threads lock in opposite orders and stay there; main returns.
// teasel: strategies=random,dfs,optimal runs=500
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *a_then_b(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // BUG
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *b_then_a(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // BUG
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, a_then_b, NULL);
    pthread_detach(thread);
    pthread_create(&thread, NULL, b_then_a, NULL);
    pthread_detach(thread);
    return 0;
}
