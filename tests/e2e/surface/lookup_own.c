// A program that has the function itself gets that of libc, which nobody controls.
//
// teasel: strategies=optimal
// expect: clean
// expect: reason ~ uncontrolled
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

int sched_yield(void) {
    int (*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "sched_yield");
    return real();
}

static void *other(void *arg) {
    sched_yield();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    other(NULL);
    pthread_join(t, NULL);
    return 0;
}
