// Heap overflow: checked by one thread, changed by another.
//
//     teasel test examples/heap_overflow.c
//
// Both threads see room for one more and both write.  The second writes past the end of the block;
// Teasel stops at that very access, not when the damage shows.
//
// teasel: strategies=random,dfs runs=10000
// expect: heap-overflow at=BUG
// expect: race ~ `used`|heap
#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 2 };
static int *list, used = 1;

static void *append(void *arg) {
    if (used < ROOM) {
        int at = used++;
        list[at] = 7; // BUG
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    list = calloc(ROOM, sizeof *list);
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, append, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(list);
    return 0;
}
