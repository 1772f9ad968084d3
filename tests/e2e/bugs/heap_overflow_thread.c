// The index is checked, then changed by another thread, then used.
// teasel: strategies=random,dfs runs=5000
// expect: heap-overflow at=BUG
// expect: race ~ `used`|heap
#include <pthread.h>
#include <stdlib.h>

static int *array, used = 3;

static void *push(void *arg) {
    if (used < 4) {
        array[used] = 1; // BUG
        used++;
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    array = malloc(4 * sizeof *array);
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(array);
    return 0;
}
