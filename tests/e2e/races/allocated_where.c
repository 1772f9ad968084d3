// A report names a heap block by the place that allocated it, for every function that allocates.
// teasel: strategies=random,optimal
// expect: race at=20
// expect: race at=21
// expect: race at=22
// expect: message ~ heap block of .*allocated_where.c:28
// expect: message ~ heap block of .*allocated_where.c:29\+4
// expect: message ~ heap block of .*allocated_where.c:31
#include <pthread.h>
#include <stdlib.h>

static int *made, *zeroed, *grown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg) {
    pthread_mutex_lock(&lock);
    int *m = made, *z = zeroed, *g = grown;
    pthread_mutex_unlock(&lock);
    if (m) {
        m[0]++;
        z[1]++;
        g[0]++;
    }
    return arg;
}

static void *allocate(void *arg) {
    int *m = malloc(sizeof *m);
    int *z = calloc(2, sizeof *z);
    int *g = malloc(sizeof *g);
    g = realloc(g, 4 * sizeof *g);
    m[0] = g[0] = 0;
    pthread_mutex_lock(&lock);
    made = m, zeroed = z, grown = g;
    pthread_mutex_unlock(&lock);
    return count(arg);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, allocate, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(made), free(zeroed), free(grown);
    return 0;
}
