// linked hash set (RAPOS, Table 1): chains of nodes that are also in a list by age, which walks
// follow; locked from outside.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { CHAINS = 2, PLACES = 8, COPIES = 0, END, ITEM, CHANGED };

typedef struct node node;
struct node {
    node *_Atomic next;                   // in its chain
    node *_Atomic before, *_Atomic after; // by age
    _Atomic int value;
};

typedef struct {
    pthread_mutex_t lock;
    node *_Atomic chain[CHAINS];
    node *_Atomic oldest, *_Atomic newest;
    _Atomic int changes;
    node nodes[PLACES]; // each used once
    int used;
} collection;

typedef struct {
    collection *of;
    node *node;
    int changes;
} cursor;

static node *_Atomic *find(collection *c, int value) {
    node *_Atomic *at = &c->chain[value % CHAINS];
    while (*at && (*at)->value != value)
        at = &(*at)->next;
    return at;
}

static int has(collection *c, int value) { return *find(c, value) != NULL; }

static void put(collection *c, int value) {
    if (has(c, value))
        return;
    node *fresh = &c->nodes[c->used++], *newest = c->newest;
    fresh->value = value;
    fresh->next = c->chain[value % CHAINS];
    c->chain[value % CHAINS] = fresh;
    fresh->before = newest;
    if (newest)
        newest->after = fresh;
    else
        c->oldest = fresh;
    c->newest = fresh;
    c->changes++;
}

static void drop(collection *c, int value) {
    node *_Atomic *at = find(c, value);
    node *gone = *at;
    if (!gone)
        return;
    node *before = gone->before, *after = gone->after;
    *at = gone->next;
    if (before)
        before->after = after;
    else
        c->oldest = after;
    if (after)
        after->before = before;
    else
        c->newest = before;
    c->changes++;
}

static void wipe(collection *c) {
    for (int i = 0; i < CHAINS; i++)
        c->chain[i] = NULL;
    c->oldest = NULL;
    c->newest = NULL;
    c->changes++;
}

static cursor begin(collection *c) { return (cursor){c, c->oldest, c->changes}; }

static int next(cursor *at, int *value) {
    if (!at->node)
        return END;
    if (at->changes != at->of->changes)
        return CHANGED;
    *value = at->node->value;
    at->node = at->node->after;
    return ITEM;
}

#include "collection.h"
