// The program chooses, and inputs decide behind it: every alternative with every path.
// teasel: strategies=paths,optimal,dfs flags=--solver-check,--keep-going
// expect: assertion at=BUG
// expect: paths count=24
// expect: executions optimal=24 dfs=24 paths=24
#include <teasel.h>

int main(void) {
    int x = teasel_int("x");
    unsigned a = TEASEL_CHOOSE(3), b = 0;
    if (a == 1)
        b = TEASEL_CHOOSE(4);
    if (x == 17 + (int)a)
        b++;
    TEASEL_ASSERT(!(a == 1 && b == 4 && x == 18)); // BUG
    if (x < 0 && TEASEL_CHOOSE(2))
        return 1;
    return 0;
}
