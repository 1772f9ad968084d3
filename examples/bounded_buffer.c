// Assertion: `if` where `while` was needed.
//
//     teasel test examples/bounded_buffer.c
//
// Two consumers wait for an item.  One is woken, but the other takes the item before the
// first gets the lock back: the first goes on as if it were still there.
//
// teasel: strategies=random runs=50000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg) {
    pthread_mutex_lock(&lock);
    if (items == 0) // should be while
        pthread_cond_wait(&not_empty, &lock);
    items--;
    assert(items >= 0); // BUG
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *producer(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_create(&c, NULL, producer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
