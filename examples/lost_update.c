// Lost update.
//
//     teasel test examples/lost_update.c
//
// Two threads add 1 to a counter.  Each reads it, adds, and writes it back; when both
// read before either writes, one addition is lost.  On most machines this program runs
// for years without failing.  Teasel finds the schedule within a few runs, prints it, and
// leaves a replay file:
//
//     teasel replay teasel-out/lost_update-1.replay
//
// counter_fixed.c is the same program with a lock.
//
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
// expect: race ~ `counter`
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *arg) {
    counter = counter + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); // BUG
    return 0;
}
