// Handlers of exit may wait for threads: these go on meanwhile.  One is woken up and joined, the other one is polled for.
// teasel: strategies=optimal,source,dpor-cr-sleep runs=100000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=1
// expect: message ~ status 7
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t thread;
static sem_t stop;
static int stopped;
static atomic_int done;

static void *wait_for_stop(void *arg) {
    sem_wait(&stop);
    stopped = 1;
    return arg;
}

static void *work(void *arg) {
    done = 1;
    return arg;
}

static void stop_it(void) {
    sem_post(&stop);
    pthread_join(thread, NULL);
    _exit(stopped ? 7 : 8);
}

static void poll_for_it(void) {
    while (!done)
        usleep(10);
}

int main(void) {
    pthread_t other;
    sem_init(&stop, 0, 0);
    atexit(stop_it);
    atexit(poll_for_it);
    pthread_create(&thread, NULL, wait_for_stop, NULL);
    pthread_create(&other, NULL, work, NULL);
    return 0;
}
