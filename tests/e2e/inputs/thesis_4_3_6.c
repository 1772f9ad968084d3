// Thesis, 4.3.6: only the first error can be reached.
// teasel: strategies=optimal flags=--solver-check,--keep-going,--seconds=20
// expect: assertion at=BUG
#include <teasel.h>

int main(void) {
    int x, y;
    TEASEL_INPUT(x);
    TEASEL_INPUT(y);
    TEASEL_ASSUME(x > -1000 && x < 1000);
    if (x * x * x > 0) {
        if (x > 0 && y == 10)
            TEASEL_ASSERT(0); // BUG
    } else {
        if (x > 0 && y == 20)
            TEASEL_ASSERT(0);
    }
    return 0;
}
