// What happens before a thread is created and after it was joined is ordered.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: clean
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *second(void *arg) {
    y = x + 1;
    return arg;
}

static void *first(void *arg) {
    pthread_t t;
    x = x + 1;
    pthread_create(&t, NULL, second, NULL);
    pthread_join(t, NULL);
    x = y;
    return arg;
}

int main(void) {
    pthread_t a, b;
    x = 1;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, first, NULL);
    pthread_join(b, NULL);
    assert(x == 5);
    return 0;
}
