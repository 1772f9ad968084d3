// A thread that has returned can still be cancelled in the destructor of a key; one that has exited can't.
// teasel: strategies=optimal,source,dfs runs=20000 flags=--keep-going
// expect: complete
// expect: assertion at=BUG
// expect: bugs count=1
#include <assert.h>
#include <pthread.h>
#include <teasel.h>

static pthread_key_t first, second;
static volatile int steps, others;

static void destroy(void *value) {
    (void)value;
    steps = 1;
    pthread_testcancel();
    steps = 2;
}

static void count(void *value) {
    (void)value;
    others++;
}

static void *worker(void *arg) {
    pthread_setspecific(first, &first);
    pthread_setspecific(second, &second);
    if (arg)
        pthread_exit(NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *value;
    pthread_key_create(&first, destroy);
    pthread_key_create(&second, count);
    int exits = TEASEL_CHOOSE(2);
    pthread_create(&thread, NULL, worker, exits ? &exits : NULL);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    assert(others == 1);
    assert(steps == (value == PTHREAD_CANCELED ? 1 : 2));
    if (value == PTHREAD_CANCELED) {
        assert(!exits);
        assert(!"cancelled"); // BUG
    }
    return 0;
}
