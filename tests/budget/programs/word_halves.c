// Long: two atomics that share eight bytes.
#include <pthread.h>
#include <stdatomic.h>

static struct { atomic_int flag, count; } both;

static void *look(void *unused) {
    (void)unused;
    int seen = 0;
    for (int i = 0; i < 100000; i++)
        seen += atomic_load(&both.flag);
    return seen ? &both : 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    for (int i = 0; i < 100000; i++)
        atomic_fetch_add(&both.count, 1);
    pthread_join(t, 0);
}
