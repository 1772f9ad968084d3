// A reader wants the mutex of a writer that waits for it, while an idle thread waits for
// work and main returns.
// teasel: strategies=random,dfs,optimal runs=2000
// expect: deadlock at=BUG
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t work;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&log_lock); // BUG
    pthread_mutex_unlock(&log_lock);
    pthread_rwlock_unlock(&table);
    return arg;
}

static void *writer(void *arg) {
    pthread_mutex_lock(&log_lock);
    pthread_rwlock_wrlock(&table); // BUG
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&log_lock);
    return arg;
}

static void *idle(void *arg) {
    sem_wait(&work);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&work, 0, 0);
    pthread_create(&thread, NULL, idle, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    return 0;
}
