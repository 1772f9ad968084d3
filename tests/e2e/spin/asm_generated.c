// What an assembler makes several instructions of is not one: another thread may come in between.
// teasel: strategies=optimal,dfs,portfolio emulated=no
// expect: reason ~ uncontrolled|assembly
// expect: race at=BUG
#include <pthread.h>

static int x;

static void *work(void *arg) {
    (void)arg;
    __asm__ volatile(".rept 2\n\tincl %0\n\t.endr" : "+m"(x)); // BUG
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
