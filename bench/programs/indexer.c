// indexer(N), after Flanagan and Godefroid (POPL 2005): N threads put four messages each into one
// hash table; a compare-and-swap claims a slot, and if it fails, the next slot is tried.
// 8^(N-11) traces for 11 <= N <= 15: up to 11 threads never use the same slot.
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifndef N
#define N 12
#endif

enum { SLOTS = 128, MESSAGES = 4 };

static _Atomic int table[SLOTS];

static bool claim(int slot, int message) {
    int empty = 0;
    return atomic_compare_exchange_strong(&table[slot], &empty, message);
}

static void *put_messages(void *arg) {
    for (int k = 1; k <= MESSAGES; k++) {
        int message = 11 * k + number_of(arg), slot = 7 * message % SLOTS;
        while (!claim(slot, message))
            slot = (slot + 1) % SLOTS;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, put_messages);
    join_threads(threads, N);
    return 0;
}
