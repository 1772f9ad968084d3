// The flag is atomic where it is stored, and read through a plain pointer.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: race at=BUG mixed=yes ordered=none ~ `flag`
// expect: races count=1
// expect: message ~ plain and an atomic
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *setter(void *arg) {
    atomic_store(&flag, 1); // BUG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, setter, NULL);
    int seen = *(int *)&flag; // BUG
    pthread_join(a, NULL);
    return seen > 1;
}
