// A word of four characters: the argument differs at one of them, or not at all.  The same for a
// variable of two characters out of three, which may also go on behind them.
// teasel: strategies=optimal,dfs flags="--argv=@4,--env=SWITCH=3,--solver-check,--keep-going" native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=8
// expect: mispredicted count=0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "fast") != 0)
        return 0;
    if (strcmp(getenv("SWITCH"), "on") == 0)
        assert(!"on"); // BUG
    return 0;
}
