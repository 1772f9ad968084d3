// A thread waits for a signal that is sent to it alone: it comes in time, or too late.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=10000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=2
#include <pthread.h>
#include <signal.h>
#include <time.h>

static void *wait_for_it(void *arg) {
    struct timespec time = {.tv_nsec = 1000};
    return sigtimedwait(arg, NULL, &time) == SIGTERM ? arg : NULL;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    void *got;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, wait_for_it, &set);
    pthread_kill(thread, SIGTERM);
    pthread_join(thread, &got);
    return got ? 1 : 2;
}
