// A loop that looks at several flags in an inner loop, until one of them is set.
// teasel: strategies=optimal,dfs,dpor,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,dfs,dpor
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { FLAGS = 3 };
static atomic_int flags[FLAGS];

static int find(void) {
    for (;;) {
        for (int i = 0; i < FLAGS; i++)
            if (atomic_load(&flags[i]))
                return i;
        sched_yield();
    }
}

static void *waits(void *arg) {
    (void)arg;
    assert(find() == 2);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&flags[2], 1);
    pthread_join(t, NULL);
    return 0;
}
