// A condition variable is destroyed while a thread waits on it.
// teasel: strategies=random,dfs runs=500
// expect: misuse at=BUG
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t inside;

static void *waiter(void *arg) {
    pthread_mutex_lock(&lock);
    sem_post(&inside);
    pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&inside, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
    sem_wait(&inside);
    pthread_mutex_lock(&lock); // so it waits by now
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&cond); // BUG
    return 0;
}
