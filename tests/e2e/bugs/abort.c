// abort().
// teasel: strategies=random,dfs
// expect: assertion at=BUG
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    fprintf(stderr, "can't go on\n");
    abort(); // BUG
}
