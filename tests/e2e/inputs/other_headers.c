// Programs for CUTE, CREST and KLEE bring the headers' names with them.
// teasel: strategies=optimal flags=--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
#include <crest.h>
#include <cute.h>
#include <klee/klee.h>

unsigned __VERIFIER_nondet_unsigned(void);

int main(void) {
    int a, c = klee_range(-2, 4, "c");
    unsigned short b;
    CUTE_input(a);
    CREST_unsigned_short(b);
    CUTE_assume(a > 3);
    if (b == 400 && a == b + c && c == 3 && __VERIFIER_nondet_unsigned() == 7)
        CUTE_assert(a != 403); // BUG
    return 0;
}
