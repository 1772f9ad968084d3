// A stack for handlers is each thread's own, and a crash is reported with its place whatever that stack is like.
//
// teasel: strategies=optimal
// expect: crash at=BUG
// expect: note ~ sigaltstack
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void *looks(void *arg) {
    stack_t mine;
    assert(sigaltstack(NULL, &mine) == 0 && mine.ss_flags == SS_DISABLE);
    return arg;
}

static void crash(volatile int *where) {
    *where = 1; // BUG
}

int main(void) {
    pthread_t thread;
    stack_t small = {.ss_sp = malloc(2048), .ss_size = 2048}, before;
    assert(sigaltstack(&small, &before) == 0 && before.ss_flags == SS_DISABLE);
    assert(sigaltstack(NULL, &before) == 0 && before.ss_sp == small.ss_sp &&
           before.ss_size == 2048);
    assert(before.ss_flags == 0);
    stack_t tiny = {.ss_sp = small.ss_sp, .ss_size = 100};
    assert(sigaltstack(&tiny, NULL) == -1 && errno == ENOMEM);
    pthread_create(&thread, NULL, looks, NULL);
    pthread_join(thread, NULL);
    crash(NULL);
    return 0;
}
