// Nested ladders: (5 + 1) ways through the first, (4 + 1) through the second.
// teasel: strategies=optimal,dfs,paths flags=--solver-check
// expect: complete
// expect: executions optimal=30 dfs=30 paths=30
// expect: paths count=30
#include <teasel.h>

static int climb(unsigned x, int steps) {
    int height = 0;
    for (int i = 0; i < steps; i++) {
        if (x < 1000u * (unsigned)(i + 1))
            return height;
        height++;
    }
    return height;
}

int main(void) {
    unsigned x, y;
    TEASEL_INPUT(x);
    TEASEL_INPUT(y);
    int sum = climb(x, 5) + climb(y, 4);
    TEASEL_ASSERT(sum >= 0 && sum <= 9);
    return 0;
}
