// memcpy writes past the end of a block.
// teasel: strategies=random,dfs
// expect: heap-overflow at=BUG
#include <stdlib.h>
#include <string.h>

static const char text[] = "far too long for the block";
static volatile unsigned long length = sizeof text;

int main(void) {
    char *p = malloc(8);
    memcpy(p, text, length); // BUG
    free(p);
    return 0;
}
