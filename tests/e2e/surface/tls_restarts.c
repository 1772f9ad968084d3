// Thread-local variables of main and of others begin anew in each run, in the same process: 20,000 runs take a second, and
// minutes if each needs a process of its own.
// teasel: strategies=random runs=20000 timeout=60
// expect: clean
#include <assert.h>
#include <pthread.h>

static _Thread_local int set = 3, zero;

static void *change(void *arg) {
    assert(set == 3 && zero == 0);
    set++;
    zero++;
    return arg;
}

int main(void) {
    pthread_t thread;
    change(NULL);
    pthread_create(&thread, NULL, change, NULL);
    pthread_join(thread, NULL);
    assert(set == 4 && zero == 1);
    return 0;
}
