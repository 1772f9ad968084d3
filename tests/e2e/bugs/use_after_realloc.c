// realloc moves the block; the old pointer is used.
// teasel: strategies=random,dfs
// expect: use-after-free at=BUG
#include <stdlib.h>

int main(void) {
    char *volatile old = malloc(10);
    char *volatile p = realloc(old, 10000);
    p[0] = 1;
    old[0] = 2; // BUG
    free(p);
    return 0;
}
