// A handler that runs in the queue of a condition leaves the thread there.  Not every order of that is tried, which
// the verdict says.
//
// teasel: strategies=optimal,random runs=3000
// expect: clean
// expect: reason ~ interruption
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile int handled;

static void handler(int sig) {
    (void)sig;
    handled = 1;
}

static void *waits(void *arg) {
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(handled);
    return 0;
}
