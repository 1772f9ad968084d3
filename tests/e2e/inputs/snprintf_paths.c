// A signed byte has one, two or three digits, with or without a minus: six lengths.
// teasel: strategies=optimal,dfs flags=--solver-check native=no
// expect: complete
// expect: paths count=6
// expect: mispredicted count=0
#include <stdio.h>
#include <teasel.h>

int main(void) {
    char text[8];
    return snprintf(text, sizeof text, "%hhd", teasel_char("c")) < 0;
}
