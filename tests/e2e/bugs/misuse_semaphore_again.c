// A semaphore is destroyed and made again beside a thread that waits for it: that may find it destroyed, or not made at all.
// teasel: strategies=source,dpor-cr-sleep flags=--keep-going
// expect: misuse at=BUG_WAIT ~ destroyed
// expect: complete
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *waits(void *arg) {
    sem_wait(&semaphore); // BUG_WAIT
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, waits, NULL);
    sem_destroy(&semaphore);
    sem_init(&semaphore, 0, 1);
    pthread_join(thread, NULL);
    return 0;
}
