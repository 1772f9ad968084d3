// Two readers that both want to write.
// teasel: strategies=random,dfs runs=2000
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *arg) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock); // BUG
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, upgrade, NULL);
    pthread_create(&b, NULL, upgrade, NULL);
    pthread_join(a, NULL); // BUG
    pthread_join(b, NULL); // BUG
    return 0;
}
