// The request comes, and then what the call waits for: it may be cancelled or return.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=1000000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *worker(void *arg) {
    sem_wait(&sem);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    sem_post(&sem);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED); // BUG
    return 0;
}
