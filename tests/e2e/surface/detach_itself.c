// A thread detaches itself while main joins it: the join comes first, or fails.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=2
#include <pthread.h>
#include <stdlib.h>

static void *detaches(void *arg) {
    pthread_detach(pthread_self());
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, detaches, NULL);
    exit(pthread_join(thread, NULL) == 0 ? 1 : 2);
}
