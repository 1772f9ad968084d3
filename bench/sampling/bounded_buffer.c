// bounded buffer (RAPOS, Table 1): three producers of one item each and a consumer, which is main,
// share a ring with one lock and two conditions.  Main makes an item before it starts its producer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { PLACES = 1, PRODUCERS = 3, PARTS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;
static int ring[PLACES], first, used, sum;
static int item[PRODUCERS][PARTS];

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (used == PLACES)
        pthread_cond_wait(&room, &lock);
    ring[(first + used) % PLACES] = value;
    used++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void take(void) {
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&filled, &lock);
    sum += ring[first];
    first = (first + 1) % PLACES;
    used--;
    pthread_cond_signal(&room);
    pthread_mutex_unlock(&lock);
}

static void *produce(void *arg) {
    put(item[(intptr_t)arg][0]);
    return NULL;
}

static void make(int number) {
    for (int i = 0; i < PARTS; i++)
        item[number][i] = number + 1 + i;
}

int main(void) {
    pthread_t thread[PRODUCERS];
    for (int i = 0; i < PRODUCERS; i++) {
        make(i);
        pthread_create(&thread[i], NULL, produce, (void *)(intptr_t)i);
    }
    for (int i = 0; i < PRODUCERS; i++)
        take();
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(thread[i], NULL);
    assert(sum == PRODUCERS * (PRODUCERS + 1) / 2);
    return 0;
}
