// Two readers can be inside at the same time.
// teasel: strategies=random,dfs runs=5000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic int inside;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int others = inside++;
    assert(others == 0); // BUG
    inside--;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
