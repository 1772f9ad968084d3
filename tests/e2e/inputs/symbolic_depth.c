// Recursion as deep as an input says: bounded by --depth, and that is said.
// teasel: strategies=optimal flags=--solver-check,--depth=20
// expect: clean
// expect: verdict ~ limit
#include <teasel.h>

static int down(unsigned n) { return n == 0 ? 0 : 1 + down(n - 1); }

int main(void) {
    unsigned n;
    TEASEL_INPUT(n);
    TEASEL_ASSUME(n < 1000);
    return down(n) == 5;
}
