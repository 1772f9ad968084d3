// Long: two threads of 50,000 atomic increments each.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *add(void *unused) {
    for (int i = 0; i < 50000; i++)
        atomic_fetch_add(&n, 1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
}
