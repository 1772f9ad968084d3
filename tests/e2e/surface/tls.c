// _Thread_local, __thread and errno: one per thread, with their initial values.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

static _Thread_local int number = 42;
static __thread char text[16] = "start";
static _Thread_local _Alignas(64) char aligned[64];
_Thread_local struct {
    int *self;
    long zero;
} global;

static void *worker(void *arg) {
    assert(number == 42);
    assert(strcmp(text, "start") == 0);
    assert(global.self == NULL && global.zero == 0);
    assert((uintptr_t)aligned % 64 == 0);
    number = (int)(intptr_t)arg;
    global.self = &number;
    text[0] = (char)('a' + number);
    errno = number;
    sched_yield();
    assert(errno == number);
    assert(number == (int)(intptr_t)arg);
    assert(global.self == &number);
    assert(text[0] == 'a' + number);
    return global.self;
}

int main(void) {
    pthread_t a, b;
    void *pa, *pb;
    number = 1;
    errno = EINTR;
    pthread_create(&a, NULL, worker, (void *)2);
    pthread_create(&b, NULL, worker, (void *)3);
    pthread_join(a, &pa);
    pthread_join(b, &pb);
    assert(pa != (void *)&number && pb != (void *)&number);
    assert(number == 1 && errno == EINTR);
    assert(strcmp(text, "start") == 0);
    return 0;
}
