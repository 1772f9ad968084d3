// pthread_kill of a thread that blocks the signal: only that thread can take it.
//
// teasel: strategies=optimal,source
// expect: clean
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static int taken[2];

static void *waits(void *arg) {
    int sig = 0;
    sigwait(&set, &sig);
    assert(sig == SIGTERM);
    *(int *)arg = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, waits, &taken[0]);
    pthread_create(&b, NULL, waits, &taken[1]);
    pthread_kill(b, SIGTERM);
    pthread_join(b, NULL);
    assert(taken[1]);
    pthread_kill(a, SIGTERM);
    pthread_join(a, NULL);
    assert(taken[0]);
    return 0;
}
