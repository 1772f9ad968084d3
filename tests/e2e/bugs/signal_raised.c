// A fatal signal that the program sends itself.
// teasel: strategies=random,dfs
// expect: crash at=BUG
#include <signal.h>

int main(void) {
    raise(SIGTERM); // BUG
    return 0;
}
