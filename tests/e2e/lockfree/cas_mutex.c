// A mutex made of a compare-and-swap, which looks first and stores then: both see it free.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000 flags=--steps,2000,--seconds,5
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>

enum { THREADS = 2, ROUNDS = 2 };

static _Atomic int held;
static guarded counter;

static void lock(void) {
#ifdef CORRECT
    int expected = 0;
    while (!atomic_compare_exchange_strong(&held, &expected, 1))
        expected = 0;
#else
    while (held)
        ;
    held = 1;
#endif
}

static void unlock(void) { held = 0; }

static void *work(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        int before = counter;
        counter = before + 1;
        unlock();
    }
    return arg;
}

int main(void) {
    run_threads(THREADS, work);
    assert(counter == THREADS * ROUNDS); // BUG
    return 0;
}
