// A producer takes the lock and waits for room inside: the consumer can't get in to make some.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: deadlock at=BUG
#include <pthread.h>
#include <semaphore.h>

enum { ITEMS = 3, PLACES = 2 };

static sem_t room, filled, lock;
static int used;

static void *produce(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
#ifdef CORRECT
        sem_wait(&room);
        sem_wait(&lock);
#else
        sem_wait(&lock); // BUG
        sem_wait(&room); // BUG
#endif
        used++;
        sem_post(&lock);
        sem_post(&filled);
    }
    return arg;
}

static void *consume(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&filled); // BUG
        sem_wait(&lock);   // BUG
        used--;
        sem_post(&lock);
        sem_post(&room);
    }
    return arg;
}

int main(void) {
    pthread_t producer, consumer;
    sem_init(&room, 0, PLACES);
    sem_init(&filled, 0, 0);
    sem_init(&lock, 0, 1);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL); // BUG
    pthread_join(consumer, NULL);
    return 0;
}
