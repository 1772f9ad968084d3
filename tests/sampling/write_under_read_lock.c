// A counter of hits is changed by readers, who hold the lock together.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic int hits, value;

static void *lookup(void *arg) {
#ifdef CORRECT
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
    int before = hits;
    hits = before + 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *change(void *arg) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, lookup, NULL);
    pthread_create(&thread[1], NULL, lookup, NULL);
    pthread_create(&thread[2], NULL, change, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(hits == 2); // BUG
    return 0;
}
