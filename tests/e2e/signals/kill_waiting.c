// A handler runs while its thread waits for a mutex, a lock, a semaphore or another thread, which it then goes on to
// wait for.
//
// teasel: strategies=optimal,source,dfs runs=100000
// expect: clean
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t came;

static void handler(int sig) {
    (void)sig;
    sem_post(&came);
}

static void *waits(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&came, 0, 0);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    assert(sem_wait(&came) == 0); // which only the handler posts
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
