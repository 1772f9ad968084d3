// Two readers share, a writer is alone: main is the writer.
// model: T0 = create:1 create:2 wrlock:l write rw-unlock:l exit
// model: T1 = rdlock:l read rw-unlock:l
// model: T2 = rdlock:l read rw-unlock:l
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=5884
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    int seen = x;
    pthread_rwlock_unlock(&l);
    return seen ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&a, NULL, reader, NULL);
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}
