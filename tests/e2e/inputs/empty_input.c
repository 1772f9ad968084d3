// Inputs without bytes and without a name are accepted.
// teasel: strategies=optimal native=no
// expect: crash at=BUG
#include <teasel.h>

void klee_make_symbolic(void *p, size_t size, const char *name);

int main(void) {
    char a[4] = {0};
    int x;
    TEASEL_INPUT_ARRAY(a, 0);
    klee_make_symbolic(a, 0, "none");
    klee_make_symbolic(a, 0, 0);
    klee_make_symbolic(&x, sizeof x, 0);
    if (a[0] == 0 && x == 12345)
        __builtin_trap(); // BUG
    return teasel_int(0) == 3;
}
