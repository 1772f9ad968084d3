// A thread that serves several signals. That it can't take one before it was sent is not blamed on the world outside.
//
// teasel: strategies=optimal runs=1000
// expect: clean
// expect: verdict ~ incomplete
// expect: reason ~ waits
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *serve(void *arg) {
    sigset_t all;
    int signal;
    sigfillset(&all);
    while (sigwait(&all, &signal) == 0 && signal != SIGTERM)
        assert(signal == SIGHUP);
    return arg;
}

int main(void) {
    pthread_t server;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&server, NULL, serve, NULL);
    kill(getpid(), SIGHUP);
    kill(getpid(), SIGTERM);
    pthread_join(server, NULL);
    return 0;
}
