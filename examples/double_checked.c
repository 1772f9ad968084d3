// Assertion: double-checked initialisation that publishes too early.
//
//     teasel test examples/double_checked.c
//
// The flag says "ready" before the table is filled; a thread that sees the flag without
// taking the lock reads an empty table.
//
// teasel: strategies=random,dfs runs=10000
// expect: assertion at=BUG
// expect: race ~ `ready`|`table`
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, table;

static int lookup(void) {
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            ready = 1; // too early
            table = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    return table;
}

static void *worker(void *arg) {
    assert(lookup() == 42); // BUG
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
