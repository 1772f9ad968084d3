// A locked instruction on a variable that only this thread knows is a full fence, if it is said to order memory.
// teasel: strategies=optimal,dfs,portfolio
// expect: clean
// expect: complete on=optimal,dfs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void fence(void) {
#ifdef __x86_64__
    int dummy = 0, one = 1;
    __asm__ volatile("lock; orl $0, %0" : "+m"(dummy)::"memory");
    __asm__ volatile("xchgl %1, %0" : "+m"(dummy), "+r"(one)::"memory");
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *work(void *arg) {
    data = 1;
    fence();
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        fence();
        assert(data == 1);
    }
    pthread_join(a, 0);
}
