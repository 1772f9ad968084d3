// Two threads take a lock: there are two partial orders.
//
// Under the random walk the second one wins in 5 of 16 runs.  A thread has two steps up to the lock
// (it starts, it locks), and the second must be created first.  At once, and both have the same
// chance; after the first has started (1/4), and the second has to be chosen twice in a row; else
// it is too late:  1/2 * 1/2 + 1/4 * 1/4 = 5/16.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *run(void *name) {
    pthread_mutex_lock(&lock);
    if (!first)
        first = *(int *)name;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static int names[] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, NULL, run, &names[0]);
    pthread_create(&b, NULL, run, &names[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
