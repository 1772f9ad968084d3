// An abort that is no assumption is a failure.
// teasel: strategies=optimal native=no flags=--solver-check
// expect: assertion at=BUG
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) {
    if (!cond)
        abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 3);
    if (x == 5)
        abort(); // BUG
    return 0;
}
