// pthread_attr_*: what is set is read back, nonsense is refused, a big stack can be used.
// teasel: strategies=random,dfs runs=200
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BIG (16ul << 20)

static void *uses_stack(void *arg) {
    char room[12 << 20];
    pthread_attr_t attr;
    size_t size = 0;
    void *addr = NULL;
    int detach = -1;

    memset(room, (int)(intptr_t)arg, sizeof room);
    assert(room[0] == 3 && room[sizeof room - 1] == 3);

    assert(pthread_getattr_np(pthread_self(), &attr) == 0);
    assert(pthread_attr_getstack(&attr, &addr, &size) == 0);
    assert(size >= BIG - 65536);
    assert(room >= (char *)addr && room + sizeof room <= (char *)addr + size);
    assert(pthread_attr_getdetachstate(&attr, &detach) == 0);
    assert(detach == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_destroy(&attr) == 0);
    return NULL;
}

static void *own_stack(void *arg) {
    char here;
    return &here >= (char *)arg && &here < (char *)arg + 65536 ? (void *)1 : (void *)2;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t thread;
    struct sched_param param;
    size_t size;
    void *addr, *value, *stack;
    int n;

    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_getdetachstate(&attr, &n) == 0 && n == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attr, &n) == 0 && n == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_setdetachstate(&attr, 99) == EINVAL);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_JOINABLE) == 0);

    assert(pthread_attr_setstacksize(&attr, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, BIG) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == BIG);

    assert(pthread_attr_setguardsize(&attr, 8192) == 0);
    assert(pthread_attr_getguardsize(&attr, &size) == 0 && size == 8192);

    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_getscope(&attr, &n) == 0 && n == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setinheritsched(&attr, PTHREAD_INHERIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&attr, &n) == 0 && n == PTHREAD_INHERIT_SCHED);
    assert(pthread_attr_setinheritsched(&attr, 99) == EINVAL);
    assert(pthread_attr_setschedpolicy(&attr, SCHED_OTHER) == 0);
    assert(pthread_attr_getschedpolicy(&attr, &n) == 0 && n == SCHED_OTHER);
    assert(pthread_attr_setschedpolicy(&attr, 99) == EINVAL);
    param.sched_priority = 0;
    assert(pthread_attr_setschedparam(&attr, &param) == 0);
    param.sched_priority = 5;
    assert(pthread_attr_getschedparam(&attr, &param) == 0 && param.sched_priority == 0);

    assert(pthread_create(&thread, &attr, uses_stack, (void *)3) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_attr_destroy(&attr) == 0);

    // A stack of the program's own.
    assert(posix_memalign(&stack, 65536, 65536) == 0);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setstack(&attr, stack, 65536) == 0);
    assert(pthread_attr_getstack(&attr, &addr, &size) == 0);
    assert(addr == stack && size == 65536);
    assert(pthread_create(&thread, &attr, own_stack, stack) == 0);
    assert(pthread_join(thread, &value) == 0);
    assert(value == (void *)1 || value == (void *)2); // Teasel uses stacks of its own
    assert(pthread_attr_destroy(&attr) == 0);
    free(stack);
    return 0;
}
