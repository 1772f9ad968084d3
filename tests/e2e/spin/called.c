// What the loop looks at is looked at by functions that it calls, one of them through a pointer.
// teasel: strategies=optimal,dfs,dpor,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,dfs,dpor
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flags[2];

static bool is_set(int i) { return atomic_load(&flags[i]); }

static void wait_for(bool (*test)(int), int i) {
    while (!test(i))
        ;
}

static void *waits(void *arg) {
    (void)arg;
    while (!is_set(0))
        ;
    for (int i = 0; i < 2; i++)
        wait_for(is_set, i);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&flags[0], 1);
    atomic_store(&flags[1], 1);
    pthread_join(t, NULL);
    return 0;
}
