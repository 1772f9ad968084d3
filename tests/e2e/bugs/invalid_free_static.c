// What never came from malloc is freed.
// teasel: strategies=random,dfs
// expect: invalid-free at=BUG
#include <stdlib.h>

static char array[16];

int main(void) {
    char *volatile p = array;
    free(p); // BUG
    return 0;
}
