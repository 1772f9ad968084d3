// Two threads wait for each other, while main never ends.
// teasel: strategies=random,optimal runs=100 flags=--steps,2000 determinism=no
// expect: deadlock at=BUG
#include <pthread.h>
#include <sched.h>

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
    pthread_create(&thread, NULL, b_then_a, NULL);
    for (;;)
        sched_yield();
}
