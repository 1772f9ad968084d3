// A status that depends on inputs without a branch: each one there is.
// teasel: strategies=optimal,source,paths runs=1000 flags=--keep-going,--fail-on-exit
// expect: complete
// expect: exit
// expect: bugs count=4
#include <stdlib.h>
#include <unistd.h>

#include "teasel.h"

int main(void) {
    int how = teasel_int("how"), n = teasel_int("n");
    if (how == 1)
        exit(n == 1234 ? 3 : 0);
    if (how == 2)
        _exit((n == 77) * 4);
    if (how == 3)
        quick_exit((n & 1) << 3);
    return n == 4321 ? 256 + 5 : 0;
}
