// What tests/unit/test_exec.c runs: a few threads, each with one step of interest.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_barrier_t barrier;
static pthread_t threads[3];
int x, y;

static void *write_x(void *arg) {
    x = 1;
    return arg;
}

static void *write_y(void *arg) {
    y = 1;
    return arg;
}

static void *meet(void *arg) {
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *look_for_cancel(void *arg) {
    pthread_testcancel();
    return arg;
}

static void *cancel_first(void *arg) {
    pthread_cancel(threads[0]);
    return arg;
}

static void *fail(void *arg) {
    assert(x > 1);
    return arg;
}

static void wait_unless_written(void) {
    if (!x)
        for (volatile unsigned long i = 0; i < 1ul << 40; i++)
            ;
}

static void run(int n, void *(*first)(void *), void *(*second)(void *), void *(*third)(void *)) {
    void *(*const routines[])(void *) = {first, second, third};
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, routines[i], NULL);
}

static void join(int n) {
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "same";
    if (!strcmp(what, "same"))
        run(2, write_x, write_x, NULL), join(2);
    else if (!strcmp(what, "other"))
        run(2, write_x, write_y, NULL), join(2);
    else if (!strcmp(what, "barrier"))
        run(3, meet, meet, meet), join(3);
    else if (!strcmp(what, "slow"))
        run(1, write_x, NULL, NULL), wait_unless_written(), join(1);
    else if (!strcmp(what, "cancel"))
        run(2, look_for_cancel, cancel_first, NULL), join(2);
    else if (!strcmp(what, "exit"))
        run(1, write_x, NULL, NULL), write_y(NULL);
    else if (!strcmp(what, "fail"))
        run(2, fail, write_x, NULL), join(2);
    return 0;
}
