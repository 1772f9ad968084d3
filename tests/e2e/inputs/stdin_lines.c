// fgets ends a line behind a newline or when there is no room: one decision per character.
// The first newline of four characters is in one of four places, or there is none.
// teasel: strategies=optimal,dfs flags=--stdin=4,--solver-check native=no
// expect: complete
// expect: paths count=5
// expect: mispredicted count=0
#include <stdio.h>

int main(void) {
    char line[16];
    return fgets(line, sizeof line, stdin) == NULL;
}
