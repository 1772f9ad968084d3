// Where a line ends depends on the input.  The first newline of four characters is in one of four
// places or in none; then the word differs first at one of the characters in front of it, or
// there: 1 + 2 + 3 + 4 + 4 paths.
// teasel: strategies=optimal flags=--stdin=4,--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=14
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    assert(strcmp(line, "yes\n") != 0); // BUG
    return 0;
}
