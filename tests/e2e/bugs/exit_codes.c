// Exit codes are told apart, wherever they come from.
// teasel: strategies=dfs,optimal,paths,portfolio runs=2000 flags=--keep-going,--fail-on-exit,-t,10
// expect: exit ~ status 1
// expect: exit ~ status 2
// expect: exit ~ status 3
// expect: bugs count=3
#include <stdlib.h>

#include "teasel.h"

int main(void) {
    int x = teasel_int("x");
    if (x == 10)
        exit(3);
    if (x == 20)
        return 1;
    if (x == 30)
        return 2;
    return 0;
}
