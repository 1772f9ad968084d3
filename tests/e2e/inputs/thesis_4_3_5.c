// Thesis, 4.3.5: the first test can't be solved by hand, the second one must be reached.
// teasel: strategies=optimal flags=--solver-check,--keep-going,--seconds=20
// expect: assertion at=BUG
#include <teasel.h>

int main(void) {
    int x;
    TEASEL_INPUT(x);
    int z = x * x + (x % 2);
    if (z == 8)
        return 0;
    if (x == 10)
        TEASEL_ASSERT(0); // BUG
    return 0;
}
