// An instruction that repeats itself touches more than its operand says, and is not one step.
// teasel: strategies=optimal,dfs,portfolio emulated=no
// expect: clean
// expect: reason ~ assembly
// expect: executions optimal=5
#include <pthread.h>

static char buf[8];
static int seen;

static void *work(void *arg) {
    (void)arg;
    long to = (long)buf, n = 4;
#ifdef __x86_64__
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n), "=m"(*(char(*)[])buf) : "a"(1));
#endif
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    seen = buf[0] + 2 * buf[3];
    pthread_join(a, 0);
    return 0;
}
