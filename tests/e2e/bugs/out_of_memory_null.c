// The result of a malloc that fails is used.
// teasel: strategies=random runs=5
// expect: crash at=BUG
#include <stdlib.h>

static volatile unsigned long size = ~0ul / 4;

int main(void) {
    volatile char *p = malloc(size);
    *p = 1; // BUG
    return 0;
}
