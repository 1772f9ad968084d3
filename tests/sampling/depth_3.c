// The second thread must be let in between two stores of the first, twice: three preemptions.
// With fewer nothing is wrong, see depth_3_bounded.c.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000 flags=--bug-depth,5
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

enum { IDLE, OPENED, LOCKED };

static _Atomic int state, noise;

static void *change(void *arg) {
    noise++;
    state = OPENED;
    state = LOCKED;
#ifndef CORRECT
    state = IDLE;
#endif
    noise++;
    return arg;
}

static void *look(void *arg) {
    int first = state;
    int second = state;
#ifdef CORRECT
    assert(first <= second);
#else
    assert(first != OPENED || second != LOCKED); // BUG
#endif
    noise++;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
