// vector (RAPOS, Table 1): like array_list.c, but it locks itself, and so does each step of a walk.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { PLACES = 8, COPIES = 1, END, ITEM, CHANGED };

typedef struct {
    pthread_mutex_t lock;
    int length, cell[PLACES];
    _Atomic int changes; // walks read it without the lock
} collection;

typedef struct {
    collection *of;
    int at, changes;
} cursor;

static void put(collection *c, int value) {
    c->cell[c->length++] = value;
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
    *value = at->of->cell[at->at++];
    return ITEM;
}

// Java asks whether there is one more element and gets it by two calls, each of which locks.
static int locked_next(cursor *at, int *value) {
    collection *c = at->of;
    pthread_mutex_lock(&c->lock);
    int length = c->length;
    pthread_mutex_unlock(&c->lock);
    if (at->at == length)
        return END;
    if (at->changes != c->changes)
        return CHANGED;
    pthread_mutex_lock(&c->lock);
    int there = at->at < c->length;
    *value = there ? c->cell[at->at++] : 0;
    pthread_mutex_unlock(&c->lock);
    return there ? ITEM : CHANGED;
}

#define NEXT_OF_OTHER locked_next
#include "collection.h"
