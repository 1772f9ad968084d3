// A character that is put back is the same when it is read again; another one is not.
// teasel: strategies=optimal flags=--stdin=3,--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=4
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>

int main(void) {
    int first = getchar();
    ungetc(first, stdin);
    if (getc(stdin) != '(')
        return 0;
    if (first != '(')
        return 1; // can't be
    int second = fgetc(stdin);
    ungetc('x', stdin);
    if (getchar() != 'x')
        return 1; // can't be
    if (second != '1')
        return 0;
    if (getchar() == ')')
        assert(!"(1)"); // BUG
    return 0;
}
