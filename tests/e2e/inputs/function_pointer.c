// A function chosen by an input through a table: both are called.
// teasel: strategies=optimal flags=--solver-check
// expect: assertion at=BUG
#include <teasel.h>

static int good(int x) { return x; }
static int bad(int x) {
    TEASEL_ASSERT(x != 3); // BUG
    return x;
}

static int (*const table[2])(int) = {good, bad};

int main(void) {
    unsigned i;
    int x;
    TEASEL_INPUT(i);
    TEASEL_INPUT(x);
    return table[i & 1](x);
}
