// A reader never sees half of what a writer does.
// teasel: strategies=random,dfs runs=5000
// expect: clean
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, writer, NULL);
    pthread_create(&thread[1], NULL, reader, NULL);
    pthread_create(&thread[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(a == 2 && b == 2);
    return 0;
}
