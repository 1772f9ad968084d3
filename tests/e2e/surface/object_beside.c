// What lies beside synchronisation objects is read, and a structure is copied while its own lock is held: nothing weakens that.
// teasel: strategies=optimal,source,dpor
// expect: verdict ~ ^complete$
#include <pthread.h>

static struct {
    int a, b;
    pthread_mutex_t mutex;
    int c;
    pthread_spinlock_t spin;
    int d;
} x = {.mutex = PTHREAD_MUTEX_INITIALIZER}, copy;

static void *work(void *arg) {
    pthread_mutex_lock(&x.mutex);
    x.a++;
    pthread_mutex_unlock(&x.mutex);
    pthread_spin_lock(&x.spin);
    pthread_spin_unlock(&x.spin);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&x.spin, 0);
    pthread_create(&thread, NULL, work, NULL);
    int sum = x.b + x.c + x.d;
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&x.mutex);
    __builtin_memcpy(&copy.mutex, &x.mutex, sizeof copy.mutex);
    pthread_mutex_unlock(&x.mutex);
    return pthread_join(thread, NULL) + sum;
}
