// Two threads have each other's lock, a third polls for their result: that is a deadlock.
// teasel: strategies=optimal,dpor,random runs=5000
// expect: deadlock at=BUG
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // BUG
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    atomic_fetch_add(&done, 1);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // BUG
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    atomic_fetch_add(&done, 1);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    while (atomic_load(&done) != 2)
        usleep(10);
    return 0;
}
