// Which outcome a thread sees depends on the schedule.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *worker(void *arg) {
    if (atomic_load(&second))
        atomic_store(&first, 2);
    else
        atomic_store(&first, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&second, 1);
    int seen = atomic_load(&first);
    if (seen == 0)
        atomic_store(&second, 2);
    else if (seen == 1)
        atomic_store(&second, 3);
    else
        atomic_store(&second, 4);
    pthread_join(thread, 0);
    return 0;
}
