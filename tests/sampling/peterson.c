// Peterson's mutual exclusion, whose two first stores are the wrong way round.  Who has waited
// for three looks in vain gives up.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { LOOKS = 3 };

static _Atomic int wants[2], turn, inside;

static int enter(int me) {
    int other = 1 - me;
#ifdef CORRECT
    wants[me] = 1;
    turn = other;
#else
    turn = other;
    wants[me] = 1;
#endif
    for (int look = 0; look < LOOKS; look++)
        if (!wants[other] || turn == me)
            return 1;
    return 0;
}

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    if (enter(me)) {
        int others = inside++;
        assert(others == 0); // BUG
        inside--;
    }
    wants[me] = 0;
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
