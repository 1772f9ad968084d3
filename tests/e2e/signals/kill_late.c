// pthread_kill returns when the signal is on its way: what its thread does next may come before the handler.
//
// teasel: strategies=optimal,source,dfs runs=5000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int sent;
static volatile sig_atomic_t came;

static void handler(int sig) {
    (void)sig;
    came = 1;
}

static void *works(void *arg) {
    if (atomic_load(&sent))
        assert(came); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, works, NULL);
    pthread_kill(thread, SIGUSR1);
    atomic_store(&sent, 1);
    pthread_join(thread, NULL);
    assert(came); // it arrives before the thread ends
    return 0;
}
