// philosophers (RAPOS, Table 1): three threads, of which main is one, each dine three times.  The
// last one takes the forks in the other order, so they don't deadlock.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3, MEALS = 3 };

static pthread_mutex_t fork_of[SEATS] = {[0 ... SEATS - 1] = PTHREAD_MUTEX_INITIALIZER};
static int used[SEATS]; // each guarded by its fork

static void *dine(void *arg) {
    int me = (int)(intptr_t)arg, left = me, right = (me + 1) % SEATS;
    int first = left < right ? left : right, second = left < right ? right : left;
    for (int i = 0; i < MEALS; i++) {
        pthread_mutex_lock(&fork_of[first]);
        pthread_mutex_lock(&fork_of[second]);
        used[first]++;
        used[second]++;
        pthread_mutex_unlock(&fork_of[second]);
        pthread_mutex_unlock(&fork_of[first]);
    }
    return NULL;
}

int main(void) {
    pthread_t thread[SEATS - 1];
    for (int i = 0; i < SEATS - 1; i++)
        pthread_create(&thread[i], NULL, dine, (void *)(intptr_t)i);
    dine((void *)(intptr_t)(SEATS - 1));
    for (int i = 0; i < SEATS - 1; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < SEATS; i++)
        assert(used[i] == 2 * MEALS);
    return 0;
}
