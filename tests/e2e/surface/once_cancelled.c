// pthread_once whose routine is cancelled: as if it had never been called.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static sem_t inside, never;
static int calls, finished;

static void setup(void) {
    if (calls++ == 0) {
        sem_post(&inside);
        sem_wait(&never); // cancelled here
    }
    finished = 1;
}

static void *worker(void *arg) {
    pthread_once(&control, setup);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    sem_init(&inside, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&inside);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED);
    assert(finished == 0);
    pthread_once(&control, setup);
    assert(calls == 2 && finished == 1);
    return 0;
}
