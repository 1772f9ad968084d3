// pthread_cond_broadcast wakes all, signal one at a time; the mutex is held on return.
// teasel: strategies=random runs=1000
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t all, one;
static int waiting, open, tickets, left;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_signal(&one);
    while (!open)
        pthread_cond_wait(&all, &lock);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    while (!tickets)
        pthread_cond_wait(&all, &lock);
    tickets--;
    left++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread[3];
    assert(pthread_mutex_init(&lock, NULL) == 0);
    assert(pthread_cond_init(&all, NULL) == 0);
    assert(pthread_cond_init(&one, NULL) == 0);
    assert(pthread_cond_signal(&all) == 0); // nobody there: nothing is remembered
    assert(pthread_cond_broadcast(&all) == 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    while (waiting < 3)
        pthread_cond_wait(&one, &lock);
    open = 1;
    tickets = 3;
    pthread_cond_broadcast(&all);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(left == 3);
    assert(pthread_cond_destroy(&all) == 0);
    assert(pthread_cond_destroy(&one) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
