// Use after free: a reference taken too late.
//
//     teasel test examples/use_after_free.c
//
// A thread finds an object and counts itself as a user; between the two another thread
// sees no user and frees it.  The report names the access, and where the block was
// allocated and freed.
//
// teasel: strategies=random,dfs runs=10000
// expect: use-after-free at=BUG
// expect: race ~ free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};
static struct object *_Atomic cache;

static void *user(void *arg) {
    struct object *o = cache;
    if (o) {
        atomic_fetch_add(&o->references, 1); // BUG
        o->value++;                          // BUG
        atomic_fetch_sub(&o->references, 1); // BUG
    }
    return arg;
}

static void *evict(void *arg) {
    struct object *o = atomic_exchange(&cache, NULL);
    if (o->references == 0)
        free(o);
    return arg;
}

int main(void) {
    pthread_t a, b;
    cache = calloc(1, sizeof(struct object));
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, evict, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
