// pthread_setname_np, getname_np, pthread_kill with 0, sigmask, setconcurrency, getcpuclockid, atfork.
// teasel: strategies=random,dfs runs=100
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static sem_t go;

static void *worker(void *arg) {
    char name[16];
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0);
    sem_wait(&go);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t set, old;
    clockid_t clock;
    struct sched_param param;
    int policy;

    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    assert(pthread_kill(thread, 0) == 0);
    assert(pthread_setname_np(thread, "a name that is far too long") == ERANGE);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0);
    assert(!sigismember(&old, SIGUSR1));
    assert(pthread_sigmask(SIG_SETMASK, &old, &set) == 0);
    assert(sigismember(&set, SIGUSR1));
    assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    assert(policy == SCHED_OTHER);
    assert(pthread_setconcurrency(2) == 0);
    assert(pthread_getconcurrency() == 2);
    sem_post(&go);
    pthread_join(thread, NULL);
    return 0;
}
