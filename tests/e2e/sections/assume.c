// assume_abort_if_not is an assumption; what follows holds.
// teasel: strategies=optimal native=no flags=--solver-check
// expect: complete
#include <stdlib.h>
#include <teasel.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 3 && x < 9);
    TEASEL_ASSERT(x != 3);
    return 0;
}
