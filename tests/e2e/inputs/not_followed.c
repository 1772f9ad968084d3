// Vectors, assembly, arguments out of reach: what is lost is said.
// teasel: strategies=optimal flags=--solver-check native=no
// expect: verdict ~ incomplete
// expect: note ~ vectors, wide atomics and inline assembly are not followed
// expect: note ~ floating point is not followed
#include <stdarg.h>
#include <string.h>
#include <teasel.h>

typedef int four __attribute__((vector_size(16)));

static double last(int n, ...) {
    va_list list;
    double x = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        x = va_arg(list, double);
    va_end(list);
    return x;
}

int main(void) {
    int a[4] = {0};
    double x;
    TEASEL_INPUT(a);
    TEASEL_INPUT(x);
    four v;
    memcpy(&v, a, sizeof v);
    v += v;
    if (v[2] == 8)
        return 1;
    return last(2, 1.0, x) == 3;
}
