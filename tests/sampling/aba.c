// A stack whose nodes are used again.  While one thread is about to swing the top from A to B,
// the other pops A and B and pushes A again: the top becomes B, which is somebody's.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NONE, A, B, NODES };

// The node in the low half; CORRECT counts in the high half how often the top has changed.
static _Atomic uint64_t top = A;
static _Atomic uint32_t next[NODES] = {[A] = B, [B] = NONE};
static _Atomic int owners[NODES];

static uint64_t with(uint64_t old, uint32_t node) {
#ifdef CORRECT
    return ((old >> 32) + 1) << 32 | node;
#else
    return (old & 0) | node;
#endif
}

static uint32_t pop(void) {
    for (uint64_t old = top;;) {
        uint32_t node = (uint32_t)old;
        if (node == NONE)
            return NONE;
        uint32_t rest = next[node];
        if (atomic_compare_exchange_strong(&top, &old, with(old, rest)))
            return node;
    }
}

static void push(uint32_t node) {
    for (uint64_t old = top;;) {
        next[node] = (uint32_t)old;
        if (atomic_compare_exchange_strong(&top, &old, with(old, node)))
            return;
    }
}

static void own(uint32_t node) {
    int others = owners[node]++;
    assert(node == NONE || others == 0); // BUG
}

static void *once(void *arg) {
    pop();
    own(pop());
    return arg;
}

static void *reuse(void *arg) {
    uint32_t first = pop();
    own(pop());
    if (first != NONE)
        push(first);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, once, NULL);
    pthread_create(&two, NULL, reuse, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
