// Dekker's mutual exclusion.  Who had to step back asks again without looking again.  Who has
// waited for three looks in vain gives up.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000 flags=--bug-depth,5
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { LOOKS = 3 };

static _Atomic int wants[2], turn, inside;

// Whether it is my turn, at last.
static int wait_for_turn(int me) {
    for (int look = 0; look < LOOKS; look++)
        if (turn == me)
            return 1;
    return 0;
}

static int enter(int me) {
    int other = 1 - me;
    wants[me] = 1;
    for (int look = 0; look < LOOKS; look++) {
        if (!wants[other])
            return 1;
        if (turn != me) {
            wants[me] = 0;
            if (!wait_for_turn(me))
                return 0;
            wants[me] = 1;
#ifndef CORRECT
            return 1;
#endif
        }
    }
    return 0;
}

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    for (int round = 0; round < 2; round++) {
        if (enter(me)) {
            int others = inside++;
            assert(others == 0); // BUG
            inside--;
            turn = 1 - me;
        }
        wants[me] = 0;
    }
    return arg;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
