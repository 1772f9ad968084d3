// A ticket lock whose tickets are drawn in two steps: two threads draw the same.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000 flags=--steps,2000,--seconds,5
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>

enum { THREADS = 3 };

static _Atomic int next_ticket, serving;
static guarded counter;

static int lock(void) {
#ifdef CORRECT
    int mine = next_ticket++;
#else
    int mine = next_ticket;
    next_ticket = mine + 1;
#endif
    while (serving < mine)
        ;
    return mine;
}

static void unlock(int mine) { serving = mine + 1; }

static void *work(void *arg) {
    int mine = lock();
    int before = counter;
    counter = before + 1;
    unlock(mine);
    return arg;
}

int main(void) {
    run_threads(THREADS, work);
    assert(counter == THREADS); // BUG
    return 0;
}
