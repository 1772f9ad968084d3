// Divisors that are constants, and numbers of 128 bits: whether one of them traps depends on inputs.
// teasel: strategies=optimal,source runs=1000 flags=--keep-going
// expect: complete
// expect: crash at=BUG
// expect: bugs count=6
#include "teasel.h"

static void minus_one(int which, int n) {
    if (which == 1) {
        int a = n / -1; // BUG
        (void)a;
    }
    if (which == 2) {
        int a = n % -1; // BUG
        (void)a;
    }
    if (which == 3) {
        long a = (long)n << 32 | 0;
        a = a / -1L; // BUG
        (void)a;
    }
    if (which == 4) {
        signed char a = (signed char)n;
        n = a / -1 + n / 7 + n % -3; // none of these
    }
}

static void wide(int which, long n) {
    __int128 a = 9, b = n;
    if (which == 5)
        a = a / b; // BUG
    if (which == 6)
        a = a % (b + 1); // BUG
    if (which == 7)
        a = (unsigned __int128)a / (unsigned __int128)(b - 3); // BUG
}

int main(void) {
    int which = teasel_int("which"), n = teasel_int("n");
    minus_one(which, n);
    wide(which, n);
    return 0;
}
