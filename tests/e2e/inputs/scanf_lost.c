// What is not followed is said.
// teasel: strategies=optimal flags=--stdin=4,--solver-check native=no
// expect: note ~ scanf takes inputs as they come
#include <stdio.h>

int main(void) {
    double x = 0;
    return scanf("%lf", &x) == 7;
}
