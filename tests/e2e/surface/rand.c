// rand, srand, random, srandom, rand_r, drand48: seeded, repeatable, and in range.
// teasel: strategies=random,dfs runs=100
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *arg) {
    assert(rand() >= 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    int a[5], differ = 0;
    unsigned seed = 3, same = 3;

    srand(7);
    for (int i = 0; i < 5; i++) {
        a[i] = rand();
        assert(a[i] >= 0 && a[i] <= RAND_MAX);
        differ += a[i] != a[0];
    }
    assert(differ);
    srand(7);
    for (int i = 0; i < 5; i++)
        assert(rand() == a[i]);
    srand(8);
    assert(rand() != a[0]);

    srandom(7);
    long r = random();
    assert(r >= 0);
    srandom(7);
    assert(random() == r);

    assert(rand_r(&seed) == rand_r(&same) && seed == same);
    srand48(5);
    double d = drand48();
    assert(d >= 0.0 && d < 1.0);
    srand48(5);
    assert(drand48() == d);
    assert(lrand48() >= 0);

    pthread_create(&thread, NULL, other, NULL);
    assert(rand() >= 0);
    pthread_join(thread, NULL);
    return 0;
}
