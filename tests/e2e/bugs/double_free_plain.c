// Freed twice in a row, without threads.
// teasel: strategies=random,dfs
// expect: double-free at=BUG
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p);
    free(p); // BUG
    return 0;
}
