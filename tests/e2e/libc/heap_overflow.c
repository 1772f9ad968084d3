// What libc stores is looked at as any other access: fgets writes behind the end of a block.
// teasel: strategies=random runs=20
// expect: heap-overflow at=BUG
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static char text[] = "a long line\n";
    FILE *file = fmemopen(text, sizeof text - 1, "r");
    char *line = malloc(8);
    fgets(line, 16, file); // BUG
    fclose(file);
    free(line);
    return 0;
}
