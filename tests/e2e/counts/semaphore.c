// A thread that waits for a semaphore, and main that posts it.
// model: T0 = i +1 V a =1
// model: T1 = x P x
// teasel: strategies=dfs runs=100000
// expect: complete
// expect: executions dfs=15
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static _Atomic int x;

static void *waiter(void *arg) {
    x = 1;
    sem_wait(&sem);
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&sem, 0, 0);
    pthread_create(&a, NULL, waiter, NULL);
    sem_post(&sem);
    pthread_join(a, NULL);
    return 0;
}
