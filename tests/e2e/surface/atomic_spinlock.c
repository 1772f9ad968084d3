// A spin lock made of an atomic flag works and ends under a random walk.
// teasel: strategies=random runs=300
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *arg) {
    while (atomic_flag_test_and_set(&taken))
        sched_yield();
    counter++;
    atomic_flag_clear(&taken);
    return arg;
}

int main(void) {
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(counter == 3);
    return 0;
}
