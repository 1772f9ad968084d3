// A division by zero whose result nobody uses: programs are built without optimisation, and trap.
// teasel: strategies=optimal flags=--solver-check
// expect: crash at=BUG
#include <teasel.h>

int main(void) {
    int x, y;
    TEASEL_INPUT(x);
    TEASEL_INPUT(y);
    int unused = 100 / (x - 7 * y); // BUG
    (void)unused;
    return 0;
}
