// A signal that is on its way when its thread begins to block it is not lost: the handler has run before, or it pends.
//
// teasel: strategies=optimal,source
// expect: clean
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t handled;
static sigset_t set;

static void handler(int sig) {
    (void)sig;
    handled = 1;
}

static void *blocks(void *arg) {
    int sig = 0;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (!handled) {
        sigwait(&set, &sig);
        assert(sig == SIGUSR1 && !handled);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, blocks, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
