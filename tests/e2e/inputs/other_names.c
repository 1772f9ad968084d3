// The names of KLEE, CREST and SV-COMP.
// teasel: strategies=optimal flags=--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
#include <stddef.h>

void klee_make_symbolic(void *p, size_t n, const char *name);
void klee_assume(unsigned long condition);
void __CrestInt(int *p);
#define CREST_int(x) __CrestInt(&x)
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void reach_error(void);

int main(void) {
    int a, b, c = __VERIFIER_nondet_int();
    klee_make_symbolic(&a, sizeof a, "a");
    CREST_int(b);
    klee_assume(a > 3);
    __VERIFIER_assume(b < a);
    if (b == 17 && c == a + b)
        reach_error(); // BUG
    return 0;
}
