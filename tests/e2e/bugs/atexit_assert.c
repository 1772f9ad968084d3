// A failed assertion in a function registered with atexit.
// teasel: strategies=random,dfs
// expect: assertion at=BUG
#include <assert.h>
#include <stdlib.h>

static int closed;

static void at_exit(void) {
    assert(closed); // BUG
}

int main(void) {
    atexit(at_exit);
    return 0;
}
