// Three threads at one lock made of atomic_flag, with a pause in the loop.
// teasel: strategies=optimal,random runs=200000
// expect: clean on=random
// expect: complete on=optimal
// expect: executions optimal=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void *work(void *arg) {
    (void)arg;
    while (atomic_flag_test_and_set(&taken))
#ifdef __x86_64__
        __asm__ volatile("pause" ::: "memory");
#else
        __asm__ volatile("yield" ::: "memory");
#endif
    count++;
    atomic_flag_clear(&taken);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 3);
    return 0;
}
