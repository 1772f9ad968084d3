// A mutex taken by trying again and again, and a semaphore.
// teasel: strategies=optimal,dpor,source,random runs=200000
// expect: clean on=random
// expect: complete on=optimal,dpor,source
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static int count, uses;

static void *work(void *arg) {
    (void)arg;
    while (pthread_mutex_trylock(&m))
        sched_yield();
    count++;
    pthread_mutex_unlock(&m);
    while (sem_trywait(&s))
        ;
    uses++;
    sem_post(&s);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 2 && uses == 2);
    return 0;
}
