// A division by zero that the first run does not hit.
// teasel: strategies=optimal flags=--solver-check
// expect: crash at=BUG
#include <teasel.h>

int main(void) {
    int x, y;
    TEASEL_INPUT(x);
    TEASEL_INPUT(y);
    return 100 / (x - 7 * y) == 3; // BUG
}
