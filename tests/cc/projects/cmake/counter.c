// A shared library with a lock, an atomic and a thread-local variable.
#include "counter.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static atomic_int calls;
static _Thread_local int mine;

void counter_add(int n) {
    pthread_mutex_lock(&lock);
    total += n;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&calls, 1);
    mine += n;
}

int counter_get(void) {
    pthread_mutex_lock(&lock);
    int n = total;
    pthread_mutex_unlock(&lock);
    return n;
}

int *counter_mine(void) { return &mine; }
