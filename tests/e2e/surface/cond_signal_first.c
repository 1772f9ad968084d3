// Which of two waiters a signal wakes is a choice: it can be the first.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#ifndef WOKEN
#define WOKEN 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t inside;
static intptr_t who;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    sem_post(&inside);
    pthread_cond_wait(&cond, &lock);
    if (!who)
        who = (intptr_t)arg;
    pthread_cond_signal(&cond); // the other one's turn
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&inside, 0, 0);
    pthread_create(&a, NULL, worker, (void *)1);
    sem_wait(&inside);
    pthread_create(&b, NULL, worker, (void *)2);
    sem_wait(&inside);
    pthread_mutex_lock(&lock); // so both wait by now
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(who != WOKEN); // BUG
    return 0;
}
