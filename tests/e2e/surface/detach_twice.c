// Two threads detach the same one: either is refused.
// teasel: strategies=optimal,source,dfs runs=100000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=2
#include <stdlib.h>
#include <threads.h>

static thrd_t third;

static int returns(void *arg) {
    (void)arg;
    return 0;
}

static int detaches(void *arg) {
    (void)arg;
    return thrd_detach(third) == thrd_success;
}

int main(void) {
    thrd_t second;
    int by_second;
    thrd_create(&third, returns, NULL);
    thrd_create(&second, detaches, NULL);
    int by_main = thrd_detach(third) == thrd_success;
    thrd_join(second, &by_second);
    exit(1 + by_main + 2 * by_second);
}
