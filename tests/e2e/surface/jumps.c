// teasel: strategies=random runs=20
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static int times;
static void on(int s) { siglongjmp(back, s); }
static void *run(void *arg) {
    jmp_buf here;
    volatile int n = 0;
    if (setjmp(here) < 3) {
        n++;
        longjmp(here, n);
    }
    if (_setjmp(here) < 5)
        _longjmp(here, 5 + (n++ & 0));
    assert(n == 4);
    return arg;
}
int main(void) {
    pthread_t t[2];
    signal(SIGUSR1, on);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, 0);
    int got = sigsetjmp(back, 1);
    if (got == 0)
        raise(SIGUSR1);
    assert(got == SIGUSR1);
    if (times++ < 2)
        raise(SIGUSR1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
