// linked list (RAPOS, Table 1): a list of nodes, locked from outside.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { PLACES = 8, COPIES = 1, END, ITEM, CHANGED };

typedef struct node node;
struct node {
    node *_Atomic next;
    _Atomic int value;
};

typedef struct {
    pthread_mutex_t lock;
    node *_Atomic first;
    _Atomic int length, changes;
    node nodes[PLACES]; // each used once
    int used;
} collection;

typedef struct {
    collection *of;
    node *node;
    int at, changes;
} cursor;

static void put(collection *c, int value) {
    node *fresh = &c->nodes[c->used++];
    node *_Atomic *last = &c->first;
    fresh->value = value;
    while (*last)
        last = &(*last)->next;
    *last = fresh;
    c->length++;
    c->changes++;
}

static node *_Atomic *find(collection *c, int value) {
    node *_Atomic *at = &c->first;
    while (*at && (*at)->value != value)
        at = &(*at)->next;
    return at;
}

static int has(collection *c, int value) { return *find(c, value) != NULL; }

static void drop(collection *c, int value) {
    node *_Atomic *at = find(c, value);
    if (!*at)
        return;
    *at = (*at)->next;
    c->length--;
    c->changes++;
}

static void wipe(collection *c) {
    c->first = NULL;
    c->length = 0;
    c->changes++;
}

static cursor begin(collection *c) { return (cursor){c, c->first, 0, c->changes}; }

static int next(cursor *at, int *value) {
    if (at->at == at->of->length)
        return END;
    if (at->changes != at->of->changes || !at->node)
        return CHANGED;
    *value = at->node->value;
    at->node = at->node->next;
    at->at++;
    return ITEM;
}

#include "collection.h"
