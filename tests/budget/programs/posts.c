// Long: a semaphore that is posted far more often than it is waited for.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *post(void *unused) {
    for (int i = 0; i < 100000; i++)
        sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, post, 0);
    for (int i = 0; i < 100000; i++)
        sem_getvalue(&s, &value);
    sem_wait(&s);
    pthread_join(t, 0);
}
