// Loops that are not found, because they count: they end all the same, and nothing is reported.
// teasel: strategies=random,optimal,dfs,dpor runs=300 flags=--steps,3000
// expect: clean
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
static int rounds;

static void *waits(void *arg) {
    (void)arg;
    for (int i = 0; !atomic_load(&flag); i++)
        if (i % 8 == 7)
            sched_yield();
    for (unsigned pause = 1; atomic_load(&flag) != 2; pause *= 2)
        rounds++;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
    pthread_join(t, NULL);
    return 0;
}
