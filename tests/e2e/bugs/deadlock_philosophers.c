// Three philosophers, each left fork first: a cycle of three.
// teasel: strategies=random runs=20000
// expect: deadlock at=BUG
#include <pthread.h>
#include <stdint.h>

#define N 3

static pthread_mutex_t fork_[N];

static void *philosopher(void *arg) {
    intptr_t i = (intptr_t)arg;
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[(i + 1) % N]); // BUG
    pthread_mutex_unlock(&fork_[(i + 1) % N]);
    pthread_mutex_unlock(&fork_[i]);
    return NULL;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
