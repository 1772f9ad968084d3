// One byte before the block is written.
// teasel: strategies=random,dfs
// expect: heap-overflow at=BUG
#include <stdlib.h>

int main(void) {
    volatile char *p = malloc(8);
    int i = 0;
    p[i - 1] = 1; // BUG
    free((void *)p);
    return 0;
}
