// Nobody posts: the thread waits for ever, and main for it.
// model: T0 = sem-init:s=0 create:1 write read join:1 exit
// model: T1 = write sem-wait:s
// teasel: strategies=dfs runs=1000000 flags=--keep-going
// expect: deadlock
// expect: executions dfs=6
// expect: race ~ `x`
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
int x;

static void *thread(void *arg) {
    x = 1;
    sem_wait(&s);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, thread, NULL);
    x = 2;
    pthread_join(a, NULL);
    return 0;
}
