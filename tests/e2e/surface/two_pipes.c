// Two pipes and two threads, each of which writes to one and reads from the other.  Nobody meets anybody
// but through bytes that must be there first: there is one partial order.
// teasel: strategies=portfolio,optimal,source,dpor-cr-sleep runs=5000
// expect: clean
// expect: executions optimal=1 source=1
// expect: verdict ~ complete
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int to_first[2], to_second[2];

static void *first(void *arg) {
    char c = 0;
    assert(write(to_second[1], "x", 1) == 1);
    assert(read(to_first[0], &c, 1) == 1 && c == 'y');
    return arg;
}

static void *second(void *arg) {
    char c = 0;
    assert(write(to_first[1], "y", 1) == 1);
    assert(read(to_second[0], &c, 1) == 1 && c == 'x');
    return arg;
}

int main(void) {
    pthread_t a, b;
    assert(pipe(to_first) == 0 && pipe(to_second) == 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
