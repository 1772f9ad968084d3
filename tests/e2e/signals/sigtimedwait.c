// sigtimedwait gives up at any moment, or takes the signal; sigwaitinfo says which one it took.
//
// teasel: strategies=optimal,source,dfs
// expect: complete
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static void *sends(void *arg) {
    kill(getpid(), SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec second = {1, 0};
    siginfo_t info;
    sigset_t now;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, sends, NULL);
    int got = sigtimedwait(&set, &info, &second);
    assert(got == SIGUSR1 ? info.si_signo == SIGUSR1 : got == -1 && errno == EAGAIN);
    if (got == -1)
        assert(sigwaitinfo(&set, NULL) == SIGUSR1);
    sigpending(&now);
    assert(!sigismember(&now, SIGUSR1));
    pthread_join(thread, NULL);
    return 0;
}
