// Pointer chasing: walks again and again over a list on the heap in random order, reads every node
// and writes every eighth.  The list fits into the first-level cache, because waiting for memory
// would hide what the instrumentation costs.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 1024, ROUNDS = 240000 };

typedef struct node {
    struct node *next;
    uint64_t value;
} node;

static uint64_t random_next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// One cycle through all nodes (Sattolo).
static void link_nodes(node *nodes) {
    static uint32_t order[NODES];
    uint64_t state = 88172645463325252ull;
    for (uint32_t i = 0; i < NODES; i++)
        order[i] = i;
    for (uint32_t i = NODES - 1; i > 0; i--) {
        uint32_t j = (uint32_t)(random_next(&state) % i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[order[i]].next = &nodes[order[(i + 1) % NODES]];
        nodes[i].value = i;
    }
}

int main(void) {
    node *nodes = malloc(NODES * sizeof *nodes), *at = nodes;
    uint64_t sum = 0;
    if (!nodes)
        return 1;
    link_nodes(nodes);
    for (uint64_t i = 0; i < (uint64_t)NODES * ROUNDS; i++) {
        sum += at->value;
        if ((i & 7) == 0)
            at->value = sum & 0xff;
        at = at->next;
    }
    printf("%llu\n", (unsigned long long)sum);
    free(nodes);
    return 0;
}
