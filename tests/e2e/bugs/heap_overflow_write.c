// The terminating zero does not fit.
// teasel: strategies=random,dfs
// expect: heap-overflow at=BUG
#include <stdlib.h>

static void fill(char *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = 'x';
    p[n] = 0; // BUG
}

int main(void) {
    char *p = malloc(13);
    fill(p, 13);
    free(p);
    return 0;
}
