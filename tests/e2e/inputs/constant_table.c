// A table that nobody changes is read as a whole: one run per answer, not one per index.
// teasel: strategies=optimal flags=--solver-check
// expect: complete
// expect: executions optimal=3
#include <teasel.h>

static const unsigned char squares[16] = {0, 1, 4, 9, 0, 9, 4, 1, 0, 1, 4, 9, 0, 9, 4, 1};

int main(void) {
    unsigned i;
    TEASEL_INPUT(i);
    int x = squares[i & 15];
    if (x == 9)
        return 1;
    if (x == 4)
        return 2;
    return 0;
}
