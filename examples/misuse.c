// Misuse: a lock destroyed while another thread may still hold it.
//
//     teasel test examples/misuse.c
//
// The last user tells main that it is done and then unlocks.  Main destroys the lock in
// between.  Nothing visible happens on most systems; it is still wrong.
//
// teasel: strategies=random,dfs runs=10000
// expect: misuse at=BUG
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

static void *user(void *arg) {
    pthread_mutex_lock(&lock);
    sem_post(&done);
    pthread_mutex_unlock(&lock); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, user, NULL);
    sem_wait(&done);
    pthread_mutex_destroy(&lock); // BUG
    pthread_join(thread, NULL);
    return 0;
}
