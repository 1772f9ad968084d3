// Phases with a barrier in between: each writes its own, then reads the other's.
// teasel: strategies=optimal,dfs,random runs=3000
// expect: clean
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t between;
static int cell[2];

static void *work(void *arg) {
    int me = arg != NULL;
    cell[me] = me + 1;
    pthread_barrier_wait(&between);
    assert(cell[1 - me] == 2 - me);
    pthread_barrier_wait(&between);
    cell[1 - me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&between, NULL, 2);
    pthread_create(&a, NULL, work, cell);
    work(NULL);
    pthread_join(a, NULL);
    return cell[0] + cell[1];
}
