// Both threads hold a lock, but not the same one; the report names them.
// teasel: strategies=optimal,dfs,random runs=5000
// expect: race at=BUG ~ `shared`
// expect: races count=2
#include <pthread.h>
#include <stddef.h>

static int shared;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *under_one(void *arg) {
    pthread_mutex_lock(&one);
    shared = 1; // BUG
    pthread_mutex_unlock(&one);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, under_one, NULL);
    pthread_mutex_lock(&two);
    shared = 2; // BUG
    pthread_mutex_unlock(&two);
    int seen = shared; // BUG
    pthread_join(a, NULL);
    return seen > 2;
}
