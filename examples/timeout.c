// Assertion: a timeout that the program did not expect.
//
//     teasel test examples/timeout.c
//
// "Ten seconds is plenty."  Time in Teasel is virtual and a timed wait may time out at any
// moment, so the path after the timeout is tested without waiting for it.
//
// teasel: strategies=random,dfs runs=5000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int answer;

static void *server(void *arg) {
    pthread_mutex_lock(&lock);
    answer = 42;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    int err = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    pthread_create(&thread, NULL, server, NULL);
    pthread_mutex_lock(&lock);
    while (!answer && err == 0)
        err = pthread_cond_timedwait(&arrived, &lock, &until);
    assert(answer == 42); // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
