// A map whose calls are locked, and a caller that looks first and puts then: two entries of one key.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { ENTRIES = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int key, value; } map[ENTRIES];
static int used;

// With the lock held.
static int find(int key) {
    for (int i = 0; i < used; i++)
        if (map[i].key == key)
            return i;
    return -1;
}

static void put(int key, int value) {
    map[used].key = key;
    map[used].value = value;
    used++;
}

static void put_if_absent(int key, int value) {
    pthread_mutex_lock(&lock);
    int at = find(key);
#ifndef CORRECT
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (at < 0)
        put(key, value);
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    put_if_absent(me == 2 ? 9 : 5, me);
    return arg;
}

int main(void) {
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(used == 2); // BUG
    return 0;
}
