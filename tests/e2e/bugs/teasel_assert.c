// TEASEL_ASSERT fails like assert, but also with NDEBUG.
// teasel: strategies=random,dfs cflags=-DNDEBUG
// expect: assertion at=BUG
// expect: message ~ x == 2
#include <teasel.h>

static int x = 1;

int main(void) {
    TEASEL_ASSERT(x == 1);
    TEASEL_ASSERT(x == 2); // BUG
    return 0;
}
