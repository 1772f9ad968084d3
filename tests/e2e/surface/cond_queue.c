// pthread_cond_wait and signal: a queue with one place.
// teasel: strategies=random,dfs runs=1000
// expect: clean
#include <assert.h>
#include <pthread.h>

#define ITEMS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int place, full;

static void *producer(void *arg) {
    for (int i = 1; i <= ITEMS; i++) {
        assert(pthread_mutex_lock(&lock) == 0);
        while (full)
            assert(pthread_cond_wait(&emptied, &lock) == 0);
        place = i;
        full = 1;
        assert(pthread_cond_signal(&filled) == 0);
        assert(pthread_mutex_unlock(&lock) == 0);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= ITEMS; i++) {
        assert(pthread_mutex_lock(&lock) == 0);
        while (!full)
            assert(pthread_cond_wait(&filled, &lock) == 0);
        assert(place == i);
        full = 0;
        assert(pthread_cond_signal(&emptied) == 0);
        assert(pthread_mutex_unlock(&lock) == 0);
    }
    pthread_join(thread, NULL);
    assert(pthread_cond_destroy(&filled) == 0);
    assert(pthread_cond_destroy(&emptied) == 0);
    return 0;
}
