// Two threads wait for one signal: either may take it, and the other waits for ever.
//
// teasel: strategies=optimal,source,dfs flags=--keep-going
// expect: assertion at=BUG
// expect: deadlock
// expect: replay same
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;
static int taken_by;

static void *waits(void *arg) {
    int sig = 0;
    sigwait(&set, &sig);
    taken_by = *(int *)arg;
    assert(taken_by != 2); // BUG
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, waits, &one);
    pthread_create(&b, NULL, waits, &two);
    kill(getpid(), SIGUSR1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
