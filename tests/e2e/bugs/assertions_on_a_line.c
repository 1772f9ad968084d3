// Assertions on one line are told apart by their text and by their column.
// teasel: strategies=dfs,optimal,paths,portfolio runs=2000 flags=--keep-going,-t,10
// expect: assertion at=BUG ~ ^a != 1
// expect: assertion at=BUG ~ ^b != 1
// expect: assertion at=BUG_SAME ~ ^c
// expect: assertion at=BUG_MACRO ~ ^d > 3
// expect: assertion at=BUG_MACRO ~ ^d < 9
// expect: bugs count=6
#include <assert.h>

#include "teasel.h"

#define BETWEEN(x, low, high) (assert(x > low), assert(x < high))

static void same(int first, int c) {
    // clang-format off
    if (first) { assert(c != 2); } else { assert(c != 2); } // BUG_SAME
    // clang-format on
}

int main(void) {
    int a = teasel_int("a"), b = teasel_int("b"), c = teasel_int("c"), d = teasel_int("d");
    // clang-format off
    assert(a != 1); assert(b != 1); // BUG
    // clang-format on
    same(a > 0, c);
    BETWEEN(d, 3, 9); // BUG_MACRO
    return 0;
}
