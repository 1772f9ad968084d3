// Writers first: a second read lock of the same thread may wait behind a writer for ever.  That is not tried, and said; a
// lock that prefers readers has no such trouble.
// teasel: strategies=optimal,dfs runs=10000 native=no
// expect: clean
// expect: verdict ~ complete, but
// expect: reason ~ uncontrolled
// expect: note ~ prefers writers
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t first = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *write_it(void *arg) {
    pthread_rwlock_wrlock(&first);
    pthread_rwlock_unlock(&first);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_it, NULL);
    pthread_rwlock_rdlock(&first);
    pthread_rwlock_rdlock(&first);
    pthread_rwlock_unlock(&first);
    pthread_rwlock_unlock(&first);
    pthread_join(thread, NULL);
    return 0;
}
