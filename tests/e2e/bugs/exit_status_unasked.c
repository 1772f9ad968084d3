// Without --fail-on-exit a non-zero exit status is no bug.
// teasel: strategies=random,dfs native=no
// expect: clean
#include <stdlib.h>

int main(void) { exit(4); }
