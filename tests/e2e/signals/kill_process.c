// A signal that a thread sends to the process may go to main: then the sender goes on before the handler has run.
// Where that can be is not all tried, and the claim says so.
//
// teasel: strategies=optimal,source
// expect: assertion at=BUG
// expect: reason ~ interruption
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void handler(int sig) {
    (void)sig;
    came = 1;
}

static void *sends(void *arg) {
    kill(getpid(), SIGUSR1);
    assert(came); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    kill(getpid(), SIGUSR1);
    assert(came);
    came = 0;
    pthread_create(&thread, NULL, sends, NULL);
    pthread_join(thread, NULL);
    return 0;
}
