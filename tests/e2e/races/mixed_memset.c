// memset over a structure with an atomic counter, which another thread increments.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: race at=BUG mixed=yes
// expect: races count=1
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static struct {
    int id;
    atomic_int uses;
} object;

static void *use(void *arg) {
    atomic_fetch_add(&object.uses, 1); // BUG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    memset(&object, 0, sizeof object); // BUG
    pthread_join(a, NULL);
    return atomic_load(&object.uses) > 1;
}
