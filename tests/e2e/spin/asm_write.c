// The flag is set by assembly: an access of its operand, which races as a store in C would; the thread goes on.
// teasel: strategies=optimal,dfs,dpor,random runs=2000
// expect: race at=14,26
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int started;
static volatile int flag, seen;

static void *waits(void *arg) {
    (void)arg;
    atomic_store(&started, 1);
    while (!flag)
        ;
    seen = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    while (!atomic_load(&started))
        ;
#ifdef __x86_64__
    __asm__ volatile("movl $1, %0" : "=m"(flag));
#else
    int one = 1;
    __asm__ volatile("str %w1, %0" : "=m"(flag) : "r"(one));
#endif
    pthread_join(t, NULL);
    assert(seen);
    return 0;
}
