// A step wakes who sleeps before it, whatever inputs decide right behind it.
// teasel: strategies=optimal,source,dpor-cr-sleep,raceflip-opt,dfs flags=--solver-check runs=20000
// expect: complete
// expect: traces count=6
// expect: mispredicted count=0
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <teasel.h>

static atomic_int word;

static void *writer(void *arg) {
    int x = teasel_int("x");
    atomic_store(&word, 1);
    if (x == 2)
        sched_yield();
    return arg;
}

static void *reader(void *arg) {
    (void)atomic_load(&word);
    (void)atomic_load(&word);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
