// A thread takes two signals, each sent by a thread of its own: in either order, if it does not come late.
//
// teasel: strategies=optimal,source,dfs flags=--keep-going runs=5000
// expect: assertion at=BUG
// expect: replay same
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *sends(void *arg) {
    kill(getpid(), *(int *)arg);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = SIGUSR1, two = SIGUSR2, first = 0, second = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, sends, &one);
    pthread_create(&b, NULL, sends, &two);
    sigwait(&set, &first);
    sigwait(&set, &second);
    assert(first + second == SIGUSR1 + SIGUSR2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == SIGUSR1); // BUG
    return 0;
}
