// With pause instead of sigsuspend the signal may come between the look and the wait.
//
// teasel: strategies=optimal,source,dfs runs=5000
// expect: deadlock
// expect: replay same
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
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, sends, &self);
    while (!came)
        pause();
    pthread_join(thread, NULL);
    return 0;
}
