// Long: fails at the end of a long run, so that shortening it would take for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *add(void *unused) {
    for (int i = 0; i < 20000; i++)
        atomic_fetch_add(&n, 1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(atomic_load(&n) != 40000);
}
