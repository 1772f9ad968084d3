// A counted object, dropped with release, and an acquire fence before it is freed.
// teasel: strategies=optimal,source,random runs=3000 native=no
// expect: clean
// expect: complete on=optimal,source
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static struct object {
    atomic_int uses;
    int value;
} * object;

static void drop(struct object *o) {
    if (atomic_fetch_sub_explicit(&o->uses, 1, memory_order_release) == 1) { // BUG
        atomic_thread_fence(memory_order_acquire);
        free(o); // BUG
    }
}

static void *work(void *arg) {
    object->value == 7 ? (void)0 : abort(); // BUG
    drop(object);
    return arg;
}

int main(void) {
    pthread_t a;
    object = malloc(sizeof *object);
    atomic_init(&object->uses, 2);
    object->value = 7;
    pthread_create(&a, NULL, work, NULL);
    drop(object);
    pthread_join(a, NULL);
    return 0;
}
