// Double-checked initialisation that says `done` before it is.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int done, width, height;

static void *use(void *arg) {
    if (!done) {
        pthread_mutex_lock(&lock);
        if (!done) {
#ifndef CORRECT
            done = 1;
#endif
            width = 4;
            height = 3;
            done = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(width * height == 12); // BUG
    return arg;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, use, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
