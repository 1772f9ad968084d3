// Thesis, Fig. 2.1 without its pointers: the error needs x > 0 and v == 2 * x + 1.
// teasel: strategies=optimal,dfs,source flags=--solver-check
// expect: assertion at=BUG
// expect: found within=4
// expect: mispredicted count=0
#include <teasel.h>

static int f(int v) { return 2 * v + 1; }

int main(void) {
    int x, v;
    TEASEL_INPUT(x);
    TEASEL_INPUT(v);
    if (x > 0)
        if (f(x) == v)
            TEASEL_ASSERT(0); // BUG
    return 0;
}
