// Without --leaks a leak is no bug; reachable blocks never are.
// teasel: strategies=random,dfs
// expect: clean
#include <stdlib.h>

static char *volatile lost;

int main(void) {
    lost = malloc(16);
    lost = NULL;
    return 0;
}
