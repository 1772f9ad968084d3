// Hashing: counts in an open-addressing table of 256 KiB on the heap.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 1 << 14, KEYS = 10000, LOOKUPS = 80000000 };

typedef struct slot {
    uint64_t key; // 0: free
    uint64_t count;
} slot;

static uint64_t mix(uint64_t x) {
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15ull;
    return x ^ x >> 29;
}

static void count(slot *table, uint64_t key) {
    uint64_t at = mix(key) % SLOTS;
    while (table[at].key && table[at].key != key)
        at = (at + 1) % SLOTS;
    table[at].key = key;
    table[at].count++;
}

int main(void) {
    slot *table = calloc(SLOTS, sizeof *table);
    uint64_t x = 1, sum = 0;
    if (!table)
        return 1;
    for (int i = 0; i < LOOKUPS; i++) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        count(table, 1 + (x >> 33) % KEYS);
    }
    for (int i = 0; i < SLOTS; i++)
        sum += mix(table[i].key + table[i].count);
    printf("%llu\n", (unsigned long long)sum);
    free(table);
    return 0;
}
