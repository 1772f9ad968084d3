// tdestroy reads the key of each node, which another thread may have changed before, and then frees the node.
// teasel: strategies=optimal,dfs flags=--keep-going runs=10000
// expect: complete
// expect: assertion at=BUG_SEES
// expect: use-after-free at=BUG_STORES
// expect: race
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
static char keys[3];
static void *tree;
static char **slot;
static int by_address(const void *a, const void *b) { return (a > b) - (a < b); }
static void see(void *key) {
    assert(key != &keys[0]); // BUG_SEES
}
static void *worker(void *a) {
    *slot = &keys[0]; // BUG_STORES
    return a;
}
int main(void) {
    pthread_t t;
    slot = tsearch(&keys[1], &tree, by_address);
    tsearch(&keys[2], &tree, by_address);
    pthread_create(&t, 0, worker, 0);
    tdestroy(tree, see);
    pthread_join(t, 0);
    return 0;
}
