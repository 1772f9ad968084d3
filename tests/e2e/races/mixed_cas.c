// A compare-and-swap that stores only before the plain read can be made: they never stand next to
// each other, and race all the same.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: race at=BUG mixed=yes ordered=relaxed
// expect: races count=1
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void *swap(void *arg) {
    int zero = 0;
    atomic_compare_exchange_strong(&value, &zero, 2); // BUG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, swap, NULL);
    atomic_store(&value, 1);
    int seen = *(int *)&value; // BUG
    pthread_join(a, NULL);
    return seen != 1;
}
