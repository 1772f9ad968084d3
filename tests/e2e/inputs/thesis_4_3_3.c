// Thesis, 4.3.3: x * x + x % 2 is not linear, and the error is found all the same.
// teasel: strategies=optimal flags=--solver-check
// expect: assertion at=BUG
#include <teasel.h>

static int g(int x) { return x * x + (x % 2); }

int main(void) {
    int x, y;
    TEASEL_INPUT(x);
    TEASEL_INPUT(y);
    int z = g(x);
    if (y == z)
        TEASEL_ASSERT(0); // BUG
    return 0;
}
