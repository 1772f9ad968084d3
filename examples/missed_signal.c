// Deadlock: a signal that comes when no thread waits for it.
//
//     teasel test examples/missed_signal.c
//
// A condition variable remembers nothing.  The waiter looks at `done` without holding the
// lock; the signal comes between the look and the wait, and the waiter sleeps for ever.
// The report shows one thread in pthread_cond_wait and main in pthread_join.
//
// Cure: look at `done` in a while loop, with the lock held.
//
// teasel: strategies=random,dfs runs=5000
// expect: deadlock at=BUG
// expect: race ~ `done`
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *waiter(void *arg) {
    if (!done) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock); // BUG
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL); // BUG
    return 0;
}
