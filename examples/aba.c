// Assertion: the ABA problem of a lock-free stack.
//
//     teasel test --runs 100000 examples/aba.c
//
// pop() reads the top node A and its successor B, and then swaps A for B if A is still on
// top.  Meanwhile another thread popped A and B and pushed A again: the swap succeeds and
// puts B, which is in use, back on the stack.
//
// teasel: strategies=random runs=100000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B, NODES };
static atomic_int top, next[NODES], in_use[NODES];

static void push(int n) {
    int old = top;
    do
        next[n] = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
}

static int pop(void) {
    int n = top;
    while (n != NONE) {
        int after = next[n];
        if (atomic_compare_exchange_strong(&top, &n, after))
            break;
    }
    return n;
}

static int take(void) {
    int n = pop();
    if (n != NONE)
        assert(atomic_exchange(&in_use[n], 1) == 0); // BUG
    return n;
}

static void *swapper(void *arg) {
    int a = take();
    take(); // and keeps it
    if (a != NONE) {
        in_use[a] = 0;
        push(a);
    }
    return arg;
}

static void *taker(void *arg) {
    take();
    take();
    return arg;
}

int main(void) {
    pthread_t x, y;
    push(B);
    push(A);
    pthread_create(&x, NULL, swapper, NULL);
    pthread_create(&y, NULL, taker, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
