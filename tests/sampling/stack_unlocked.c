// A stack in an array, pushed and popped without a lock.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifdef CORRECT
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void begin(void) { pthread_mutex_lock(&lock); }
static void end(void) { pthread_mutex_unlock(&lock); }
#else
static void begin(void) {}
static void end(void) {}
#endif

static _Atomic int height, cell[4], popped;

static void push(int value) {
    begin();
    int at = height;
    cell[at] = value;
    height = at + 1;
    end();
}

static int pop(void) {
    int value = 0;
    begin();
    int at = height;
    if (at > 0) {
        height = at - 1;
        value = cell[at - 1];
        cell[at - 1] = 0;
    }
    end();
    return value;
}

static void *work(void *arg) {
    push((int)(intptr_t)arg);
    popped += pop();
    return arg;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(height == 0 && popped == 3); // BUG
    return 0;
}
