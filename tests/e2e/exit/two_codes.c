// Main returns while a thread calls exit(1): either may be the one that ends the process.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs,random flags=--fail-on-exit
// expect: exit
#include <pthread.h>
#include <stdlib.h>

static void *leave(void *arg) {
    (void)arg;
    exit(1);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    return 0;
}
