// A mutex is destroyed while a thread waits for it, or is about to lock it.
// teasel: strategies=dfs,optimal
// expect: misuse
// expect: replay same
#include <threads.h>

static mtx_t mutex;

static int worker(void *arg) {
    (void)arg;
    mtx_lock(&mutex);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    thrd_create(&t, worker, NULL);
    mtx_destroy(&mutex);
    return 0;
}
