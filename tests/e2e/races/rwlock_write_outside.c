// Read under the read lock, written under none.
// teasel: strategies=optimal,dfs,random runs=3000
// expect: race at=BUG ~ `value`
// expect: races count=1
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int seen = value; // BUG
    pthread_rwlock_unlock(&lock);
    return seen ? arg : NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    value = 1; // BUG
    pthread_join(t, NULL);
    return 0;
}
