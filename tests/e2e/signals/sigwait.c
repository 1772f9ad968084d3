// A blocked signal that sigwait takes is no crash; the wait is a step.
//
// teasel: strategies=optimal,source,dfs,random runs=200
// expect: clean
// expect: complete on=optimal,source,dfs
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *waits(void *arg) {
    int sig = 0;
    assert(sigwait(&set, &sig) == 0 && sig == SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, waits, NULL);
    kill(getpid(), SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
