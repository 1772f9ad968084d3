// scanf reads standard input.
// teasel: strategies=optimal flags=--stdin=8,--solver-check,--seconds=60 native=no runs=20000
// expect: assertion at=BUG
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned size = 0;
    char name[4] = "";
    if (scanf("%3[a-z]=%x", name, &size) == 2 && getchar() == '\n')
        if (strcmp(name, "kb") == 0 && size == 0x2f)
            assert(!"kb=0x2f"); // BUG
    return 0;
}
