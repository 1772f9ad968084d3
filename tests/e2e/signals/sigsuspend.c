// sigsuspend opens the mask and waits in one step: a signal that comes before it is not lost.
//
// teasel: strategies=optimal,source,dfs,random runs=200
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void handler(int sig) {
    (void)sig;
    came = 1;
}

static void *sends(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    return NULL;
}

int main(void) {
    pthread_t thread, self = pthread_self();
    sigset_t set, none;
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, sends, &self);
    while (!came)
        assert(sigsuspend(&none) == -1 && errno == EINTR);
    pthread_join(thread, NULL);
    return 0;
}
