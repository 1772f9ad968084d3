// A bool is one bit as a result and a byte in memory; both are inputs.
// teasel: strategies=optimal,dfs flags=--solver-check
// expect: complete
// expect: executions optimal=5 dfs=5
// expect: paths count=5
// expect: mispredicted count=0
#include <teasel.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    _Bool a = teasel_bool("a"), b, c[2];
    TEASEL_INPUT(b);
    TEASEL_INPUT(c);
    if (a) {
        if (b)
            return 0;
        if (c[1])
            return 0;
        return 0;
    }
#ifdef __TEASEL__
    if (__VERIFIER_nondet_bool())
        return 0;
#endif
    return 0;
}
