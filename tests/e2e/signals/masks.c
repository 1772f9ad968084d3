// Masks belong to threads: a signal to the process goes to the thread that does not block it, one to a thread
// that blocks it waits there until it is unblocked.
//
// teasel: strategies=optimal,dfs,random runs=200
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t handled_by;
static volatile int count;
static pthread_barrier_t ready;

static void handler(int sig) {
    assert(sig == SIGUSR1);
    handled_by = pthread_self();
    count++;
}

static void *open_to_all(void *arg) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, &old);
    assert(sigismember(&old, SIGUSR1)); // inherited
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&ready);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t set, now;
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    pthread_barrier_init(&ready, NULL, 2);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    sigpending(&now);
    assert(count == 0 && sigismember(&now, SIGUSR1));
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 1 && pthread_equal(handled_by, pthread_self()));
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, open_to_all, NULL);
    pthread_barrier_wait(&ready);
    kill(getpid(), SIGUSR1);
    pthread_barrier_wait(&ready);
    pthread_join(thread, NULL);
    assert(count == 2 && pthread_equal(handled_by, thread));
    return 0;
}
