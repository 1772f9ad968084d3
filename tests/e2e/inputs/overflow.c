// With --overflow a signed sum that does not fit is a bug.
// teasel: strategies=optimal flags=--solver-check,--overflow
// expect: overflow at=BUG
#include <teasel.h>

int main(void) {
    int x;
    TEASEL_INPUT(x);
    TEASEL_ASSUME(x > 0);
    return x + 100 < 0; // BUG
}
