// No bug: lost_update.c with a lock.
//
//     teasel test --strategy dfs examples/counter_fixed.c
//
// `dfs` runs every interleaving there is.  The verdict is "complete" and the exit code 0:
// there is no schedule under which the assertion fails.
//
// teasel: strategies=random,dfs runs=100000
// expect: clean
// expect: complete on=dfs
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg) {
    pthread_mutex_lock(&lock);
    counter = counter + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
