// hash_table(N): inserts N - 1 input keys into a table of eight chains, then looks for one more.
#include <stdlib.h>
#include <teasel.h>

#ifndef N
#define N 4
#endif

struct entry {
    unsigned key;
    struct entry *next;
};

static struct entry *table[8];

static unsigned hash(unsigned key) { return (key * 2654435761u) >> 29; }

static struct entry *find(unsigned key) {
    struct entry *e = table[hash(key)];
    while (e && e->key != key)
        e = e->next;
    return e;
}

static void insert(unsigned key) {
    if (find(key))
        return;
    struct entry *e = malloc(sizeof *e);
    unsigned h = hash(key);
    *e = (struct entry){key, table[h]};
    table[h] = e;
}

int main(void) {
    unsigned keys[N];
    TEASEL_INPUT(keys);
    for (int i = 0; i + 1 < N; i++)
        insert(keys[i]);
    return find(keys[N - 1]) != NULL;
}
