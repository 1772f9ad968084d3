// hash set (RAPOS, Table 1): chains of nodes, locked from outside.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { CHAINS = 2, PLACES = 8, COPIES = 0, END, ITEM, CHANGED };

typedef struct node node;
struct node {
    node *_Atomic next;
    _Atomic int value;
};

typedef struct {
    pthread_mutex_t lock;
    node *_Atomic chain[CHAINS];
    _Atomic int changes;
    node nodes[PLACES]; // each used once
    int used;
} collection;

typedef struct {
    collection *of;
    node *node;
    int chain, changes; // `chain`: the chain after that of the node
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
    node *fresh = &c->nodes[c->used++];
    fresh->value = value;
    fresh->next = c->chain[value % CHAINS];
    c->chain[value % CHAINS] = fresh;
    c->changes++;
}

static void drop(collection *c, int value) {
    node *_Atomic *at = find(c, value);
    if (!*at)
        return;
    *at = (*at)->next;
    c->changes++;
}

static void wipe(collection *c) {
    for (int i = 0; i < CHAINS; i++)
        c->chain[i] = NULL;
    c->changes++;
}

static void skip_empty(cursor *at) {
    while (!at->node && at->chain < CHAINS)
        at->node = at->of->chain[at->chain++];
}

static cursor begin(collection *c) {
    cursor at = {c, NULL, 0, c->changes};
    skip_empty(&at);
    return at;
}

static int next(cursor *at, int *value) {
    if (!at->node)
        return END;
    if (at->changes != at->of->changes)
        return CHANGED;
    *value = at->node->value;
    at->node = at->node->next;
    skip_empty(at);
    return ITEM;
}

#include "collection.h"
