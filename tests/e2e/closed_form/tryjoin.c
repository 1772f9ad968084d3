// A tryjoin that comes too early, and then a join; and a semaphore that may have nothing.
// model: T0 = sem-init:s=0 create:1 sem-trywait:s/0 read tryjoin:1/1 exit read join:1 exit
// model: T1 = sem-post:s sem-trywait:s/1 write
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=116
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
int x;

static void *thread(void *arg) {
    sem_post(&s);
    if (sem_trywait(&s) == 0)
        x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, thread, NULL);
    sem_trywait(&s);
    if (pthread_tryjoin_np(a, NULL) == 0)
        return 0;
    pthread_join(a, NULL);
    return 0;
}
