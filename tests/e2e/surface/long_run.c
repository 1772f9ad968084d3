// A run so long that repeated accesses are left out: it must still be repeatable.
// teasel: strategies=random runs=10
// expect: clean
#include <assert.h>
#include <pthread.h>

static int a, b, rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    for (int i = 0; i < 1800; i++) {
        pthread_mutex_lock(&lock);
        for (int j = 0; j < 10; j++)
            a += b;
        rounds++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(rounds == 3600);
    return 0;
}
