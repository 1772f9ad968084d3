// A null pointer and a division by zero on one line are two bugs.
// teasel: strategies=dfs,optimal,paths,portfolio runs=2000 flags=--keep-going,-t,10
// expect: crash at=BUG ~ SIGSEGV
// expect: crash at=BUG ~ SIGFPE
// expect: bugs count=2
#include <stddef.h>

#include "teasel.h"

int main(void) {
    int x = teasel_int("x"), y = teasel_int("y"), one = 1;
    volatile int result;
    int *p = &one;
    if (x == 7)
        p = NULL;
    if (y < 9 || y > 12)
        return 0;
    result = *p / (y - 9); // BUG
    return result == 5;
}
