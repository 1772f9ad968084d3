// array list (RAPOS, Table 1): a list in an array, locked from outside.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { PLACES = 8, COPIES = 1, END, ITEM, CHANGED };

typedef struct {
    pthread_mutex_t lock;
    _Atomic int length, changes, cell[PLACES];
} collection;

typedef struct {
    collection *of;
    int at, changes;
} cursor;

static void put(collection *c, int value) {
    c->cell[c->length] = value;
    c->length++;
    c->changes++;
}

static int index_of(collection *c, int value) {
    for (int i = 0; i < c->length; i++)
        if (c->cell[i] == value)
            return i;
    return -1;
}

static int has(collection *c, int value) { return index_of(c, value) >= 0; }

static void drop(collection *c, int value) {
    int at = index_of(c, value);
    if (at < 0)
        return;
    for (int i = at; i + 1 < c->length; i++)
        c->cell[i] = c->cell[i + 1];
    c->length--;
    c->changes++;
}

static void wipe(collection *c) {
    c->length = 0;
    c->changes++;
}

static cursor begin(collection *c) { return (cursor){c, 0, c->changes}; }

static int next(cursor *at, int *value) {
    if (at->at == at->of->length)
        return END;
    if (at->changes != at->of->changes)
        return CHANGED;
    *value = at->of->cell[at->at++ % PLACES];
    return ITEM;
}

#include "collection.h"
