// The bits of a number are an input like others.
// teasel: strategies=optimal,dfs flags=--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=2
#include <string.h>
#include <teasel.h>

struct point {
    float w;
    double x, y;
};

double __VERIFIER_nondet_double(void);

static double pick(struct point p, int first) { return first ? p.x : p.y; }

int main(void) {
    struct point p = {0, __VERIFIER_nondet_double(), 0}, q;
    q = p;
    double x = pick(q, 1);
    unsigned long bits;
    memcpy(&bits, &x, sizeof bits);
    TEASEL_ASSERT(bits != 0x4045400000000000); // BUG
    return 0;
}
