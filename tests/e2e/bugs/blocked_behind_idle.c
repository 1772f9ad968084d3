// One worker waits for work with the lock that the others queue for, as a server does that
// accepts connections one at a time: no deadlock when main returns.  Nor is who waits
// for what the thread that ends the program holds.
// teasel: strategies=random,dfs,optimal runs=500
// expect: clean
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, mine = PTHREAD_MUTEX_INITIALIZER;
static sem_t work;

static void *worker(void *arg) {
    pthread_mutex_lock(&turn);
    sem_wait(&work);
    pthread_mutex_unlock(&turn);
    return arg;
}

static void *late(void *arg) {
    pthread_mutex_lock(&mine);
    pthread_mutex_unlock(&mine);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&work, 0, 0);
    pthread_mutex_lock(&mine);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_create(&thread, NULL, late, NULL);
    return 0;
}
