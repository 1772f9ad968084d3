// Two threads leave with different codes, and main with a third one: one trace for each.
// teasel: strategies=optimal,source runs=1000
// expect: complete
// expect: executions optimal=3 source=3
#include <pthread.h>
#include <stdlib.h>

static void *leave(void *arg) { exit(arg ? 1 : 2); }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, leave, &a);
    return 0;
}
