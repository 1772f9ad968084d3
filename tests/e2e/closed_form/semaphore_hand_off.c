// Two threads take turns through two semaphores; joined by main.
// model: T0 = sem-init:s=0 sem-init:t=0 create:1 create:2 read join:1 read join:2 exit
// model: T1 = write sem-post:s sem-wait:t write
// model: T2 = sem-wait:s write sem-post:t
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=640
#include <pthread.h>
#include <semaphore.h>

static sem_t s, t;
int x;

static void *first(void *arg) {
    x = 1;
    sem_post(&s);
    sem_wait(&t);
    x = 3;
    return arg;
}

static void *second(void *arg) {
    sem_wait(&s);
    x = 2;
    sem_post(&t);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    sem_init(&t, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
