// tree set (RAPOS, Table 1): a search tree, locked from outside.  It is not balanced, because it
// never has more than three elements.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { PLACES = 8, COPIES = 0, END, ITEM, CHANGED };

typedef struct node node;
struct node {
    node *_Atomic child[2]; // smaller, larger
    _Atomic int value;
};

typedef struct {
    pthread_mutex_t lock;
    node *_Atomic root;
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
    node *_Atomic *at = &c->root;
    while (*at && (*at)->value != value)
        at = &(*at)->child[value > (*at)->value];
    return at;
}

static int has(collection *c, int value) { return *find(c, value) != NULL; }

static void put(collection *c, int value) {
    node *_Atomic *at = find(c, value);
    if (*at)
        return;
    node *fresh = &c->nodes[c->used++];
    fresh->value = value;
    *at = fresh;
    c->changes++;
}

static void drop(collection *c, int value) {
    node *_Atomic *at = find(c, value);
    node *gone = *at;
    if (!gone)
        return;
    if (gone->child[0] && gone->child[1]) {
        node *_Atomic *least = &gone->child[1];
        while ((*least)->child[0])
            least = &(*least)->child[0];
        gone->value = (*least)->value;
        *least = (*least)->child[1];
    } else {
        *at = gone->child[0] ? gone->child[0] : gone->child[1];
    }
    c->changes++;
}

static void wipe(collection *c) {
    c->root = NULL;
    c->changes++;
}

// The node with the least value above `than`.
static node *least_above(collection *c, int than) {
    node *best = NULL;
    for (node *at = c->root; at;) {
        int value = at->value;
        if (value > than)
            best = at;
        at = at->child[value <= than];
    }
    return best;
}

static cursor begin(collection *c) { return (cursor){c, least_above(c, -1), c->changes}; }

static int next(cursor *at, int *value) {
    if (!at->node)
        return END;
    if (at->changes != at->of->changes)
        return CHANGED;
    *value = at->node->value;
    at->node = least_above(at->of, *value);
    return ITEM;
}

#include "collection.h"
