// No input meets the assumptions: that is said, and it is not an error.
// teasel: strategies=optimal flags=--solver-check
// expect: clean
// expect: complete
// expect: rejected all
#include <teasel.h>

int main(void) {
    int x;
    TEASEL_INPUT(x);
    TEASEL_ASSUME(x > 10);
    TEASEL_ASSUME(x < 5);
    TEASEL_ASSERT(0);
    return 0;
}
