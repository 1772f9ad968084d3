// A ring with two consumers and no lock: both take the same item.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

#ifdef CORRECT
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void begin(void) { pthread_mutex_lock(&lock); }
static void end(void) { pthread_mutex_unlock(&lock); }
#else
static void begin(void) {}
static void end(void) {}
#endif

enum { PLACES = 4, ITEMS = 2 };

static _Atomic int ring[PLACES], head, tail, times[ITEMS + 1];

static void *produce(void *arg) {
    for (int i = 1; i <= ITEMS; i++) {
        begin();
        ring[tail % PLACES] = i;
        tail = tail + 1;
        end();
    }
    return arg;
}

static void *consume(void *arg) {
    begin();
    int at = head, item = 0;
    if (at != tail) {
        item = ring[at % PLACES];
        head = at + 1;
    }
    end();
    times[item]++;
    return arg;
}

int main(void) {
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, produce, NULL);
    pthread_create(&thread[1], NULL, consume, NULL);
    pthread_create(&thread[2], NULL, consume, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(times[1] <= 1 && times[2] <= 1); // BUG
    return 0;
}
