// Eleven threads.  A log whose first line is by one of the three that were started last is closed
// when all writers have written; nobody counts the watcher, who was started first.  What breaks
// is an order in which one of the last comes first and the first one last of all.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio runs=50000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { WRITERS = 9, WORK = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, turned, closed;
static _Atomic int progress[WRITERS + 1];

static void *watch(void *arg) {
    for (int i = 0; i < WORK; i++)
        progress[WRITERS]++;
    pthread_mutex_lock(&lock);
#ifndef CORRECT
    assert(!closed); // BUG
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *write_line(void *arg) {
    int me = (int)(intptr_t)arg;
    progress[me]++;
    pthread_mutex_lock(&lock);
    if (lines == 0 && me >= WRITERS - 3)
        turned = 1;
    lines++;
    if (lines == WRITERS && turned)
        closed = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t watcher, writer[WRITERS];
    pthread_create(&watcher, NULL, watch, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writer[i], NULL, write_line, (void *)(intptr_t)i);
    pthread_join(watcher, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writer[i], NULL);
    return 0;
}
