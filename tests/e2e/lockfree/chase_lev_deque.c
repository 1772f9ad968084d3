// The deque of Chase and Lev, for work stealing.  The owner takes the last item without a
// compare-and-swap: a thief has it too.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000 flags=--bug-depth,5
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>

enum { PLACES = 4, ITEMS = 3, THIEVES = 2, NOTHING = -1 };

static _Atomic int top, bottom, cell[PLACES], times[ITEMS];

static void push(int item) {
    int at = bottom;
    cell[at % PLACES] = item;
    bottom = at + 1;
}

static int take(void) {
    int at = bottom - 1;
    bottom = at;
    int first = top;
    if (first > at) {
        bottom = first;
        return NOTHING;
    }
    int item = cell[at % PLACES];
    if (first == at) {
#ifdef CORRECT
        if (!atomic_compare_exchange_strong(&top, &first, first + 1))
            item = NOTHING;
#else
        top = first + 1;
#endif
        bottom = at + 1;
    }
    return item;
}

static int steal(void) {
    int first = top;
    if (first >= bottom)
        return NOTHING;
    int item = cell[first % PLACES];
    return atomic_compare_exchange_strong(&top, &first, first + 1) ? item : NOTHING;
}

static void use(int item) {
    if (item == NOTHING)
        return;
    int before = times[item]++;
    assert(before == 0); // BUG
}

static void *own(void *arg) {
    for (int i = 0; i < ITEMS; i++)
        push(i);
    for (int i = 0; i < ITEMS; i++)
        use(take());
    return arg;
}

static void *rob(void *arg) {
    use(steal());
    return arg;
}

int main(void) {
    pthread_t owner;
    pthread_create(&owner, NULL, own, NULL);
    run_threads(THIEVES, rob);
    pthread_join(owner, NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(times[i] == 1); // BUG
    return 0;
}
