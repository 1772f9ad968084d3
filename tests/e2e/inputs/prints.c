// What is only printed decides nothing.
// teasel: strategies=optimal flags=--solver-check native=no
// expect: complete
// expect: paths count=2
#include <stdio.h>
#include <teasel.h>

int main(void) {
    int x = teasel_int("x");
    char s[4];
    TEASEL_INPUT(s);
    s[3] = 0;
    if (x > 3)
        printf("%d %s\n", x, s);
    else
        putchar(x & 127);
    return 0;
}
