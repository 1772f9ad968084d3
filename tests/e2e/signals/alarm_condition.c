// A handler that a timer calls wakes a thread that waits for a condition. That is not allowed in a handler, but it
// works, and the wait is no deadlock.
// teasel: strategies=random,optimal runs=3 determinism=no
// expect: clean
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t came;

static void handler(int sig) {
    came = sig;
    pthread_cond_signal(&cond);
}

int main(void) {
    signal(SIGALRM, handler);
    pthread_mutex_lock(&mutex);
    alarm(1);
    while (!came)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
