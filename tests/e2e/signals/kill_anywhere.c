// A signal sent to another thread may arrive between any two of its steps, also with the first and the last of them.
//
// teasel: strategies=optimal,source,dpor-cr-sleep runs=20000 flags=--keep-going
// expect: complete
// expect: assertion at=BUG
// expect: bugs count=4
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int stage;
static volatile sig_atomic_t seen = -1;

static void handler(int sig) {
    (void)sig;
    seen = stage;
}

static void *works(void *arg) {
    for (int i = 1; i <= 3; i++)
        stage = i;
    return arg;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, works, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    int saw = seen;
    assert(saw != 0); // BUG
    assert(saw != 1); // BUG
    assert(saw != 2); // BUG
    assert(saw != 3); // BUG
    return 0;
}
