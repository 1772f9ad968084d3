// The middle of a block is freed.
// teasel: strategies=random,dfs
// expect: invalid-free at=BUG
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(10);
    free(p + 4); // BUG
    return 0;
}
