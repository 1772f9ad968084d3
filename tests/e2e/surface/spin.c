// pthread_spin_*: init, lock, trylock, unlock, destroy.
// teasel: strategies=random,dfs runs=2000
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *worker(void *arg) {
    assert(pthread_spin_lock(&lock) == 0);
    assert(pthread_spin_trylock(&lock) == EBUSY);
    counter++;
    assert(pthread_spin_unlock(&lock) == 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_spin_trylock(&lock) == 0);
    assert(pthread_spin_unlock(&lock) == 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
