// What assembly computes of an input is not known.
// teasel: strategies=optimal flags=--solver-check native=no
// expect: verdict ~ incomplete
// expect: note ~ inline assembly are not followed
#include <teasel.h>

int main(void) {
    int a = teasel_int("a"), b = 0;
    __asm__("" : "=r"(b) : "0"(a));
    return b == 7;
}
