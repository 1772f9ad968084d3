// Forty threads, made by threads, each joined once.
// teasel: strategies=random runs=200
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *leaf(void *arg) {
    pthread_mutex_lock(&lock);
    total += (int)(intptr_t)arg;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *branch(void *arg) {
    pthread_t child[9];
    for (intptr_t i = 0; i < 9; i++)
        assert(pthread_create(&child[i], NULL, leaf, (void *)i) == 0);
    for (intptr_t i = 0; i < 9; i++) {
        void *value;
        assert(pthread_join(child[i], &value) == 0);
        assert((intptr_t)value == i);
    }
    return arg;
}

int main(void) {
    pthread_t child[4];
    for (int i = 0; i < 4; i++)
        assert(pthread_create(&child[i], NULL, branch, NULL) == 0);
    for (int i = 0; i < 4; i++)
        assert(pthread_join(child[i], NULL) == 0);
    assert(total == 4 * 36);
    return 0;
}
