// A spin lock by test-and-set, let go before the last store of the critical section.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000 flags=--steps,2000,--seconds,5
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>

enum { THREADS = 3 };

static atomic_flag taken = ATOMIC_FLAG_INIT;
static guarded counter;

static void lock(void) {
    while (atomic_flag_test_and_set(&taken))
        ;
}

static void unlock(void) { atomic_flag_clear(&taken); }

static void *work(void *arg) {
    lock();
    int before = counter;
#ifdef CORRECT
    counter = before + 1;
    unlock();
#else
    unlock();
    counter = before + 1;
#endif
    return arg;
}

int main(void) {
    run_threads(THREADS, work);
    assert(counter == THREADS); // BUG
    return 0;
}
