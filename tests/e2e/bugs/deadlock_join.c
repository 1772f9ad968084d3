// Two threads wait for each other to end.
// teasel: strategies=random,dfs runs=500
// expect: deadlock at=BUG
#include <pthread.h>
#include <semaphore.h>

static pthread_t a, b;
static sem_t both;

static void *joins_b(void *arg) {
    sem_wait(&both);
    pthread_join(b, NULL); // BUG
    return arg;
}

static void *joins_a(void *arg) {
    sem_wait(&both);
    pthread_join(a, NULL); // BUG
    return arg;
}

int main(void) {
    sem_init(&both, 0, 0);
    pthread_create(&a, NULL, joins_b, NULL);
    pthread_create(&b, NULL, joins_a, NULL);
    sem_post(&both);
    sem_post(&both);
    pthread_exit(NULL); // BUG
}
