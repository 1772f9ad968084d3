// Use after free: a reference count that is not atomic enough.
//
//     teasel test examples/use_after_free.c
//
// A thread takes a reference to an object that another thread is just giving up.  The
// report names the access, and where the block was allocated and freed.
//
// teasel: strategies=random,dfs runs=10000
// expect: use-after-free at=BUG
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};
static struct object *_Atomic cache;

static void drop(struct object *o) {
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
}

static void *user(void *arg) {
    struct object *o = cache;
    if (o) {
        atomic_fetch_add(&o->references, 1); // BUG
        o->value++;
        drop(o);
    }
    return arg;
}

static void *evict(void *arg) {
    struct object *o = atomic_exchange(&cache, NULL);
    drop(o);
    return arg;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    o->references = 1;
    o->value = 0;
    cache = o;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, evict, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
