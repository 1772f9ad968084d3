// Values pass through calls of every kind: recursive, through pointers, with many arguments, with
// structs by value, with a variable number of arguments.
// teasel: strategies=optimal flags=--solver-check
// expect: complete
// expect: paths count=10
// expect: mispredicted count=0
#include <stdarg.h>
#include <teasel.h>

struct small {
    int a, b;
};
struct large {
    int a[20];
};
struct bits {
    unsigned low : 3, high : 5;
    int rest : 7;
};
union both {
    int word;
    unsigned char bytes[4];
};

static int sum_to(int n, int x) { return n == 0 ? x : sum_to(n - 1, x + 1); }
static struct small swap(struct small s) { return (struct small){s.b, s.a}; }
static struct large push(struct large l, int x) {
    l.a[7] = x;
    return l;
}
static int first_of(struct large l) { return l.a[7]; }
static int seventh(int a, int b, int c, int d, int e, int f, int g) {
    return a + b + c + d + e + f + g;
}

static int third(int n, ...) {
    va_list list;
    int last = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        last = va_arg(list, int);
    va_end(list);
    return last;
}

static int twice(int x) { return 2 * x; }

int main(void) {
    int x;
    TEASEL_INPUT(x);
    int (*f)(int) = twice;
    struct large l = {{0}};
    struct bits b = {0};
    union both u;
    int seen = 0;
    seen += sum_to(5, x) == 12;
    if (sum_to(5, x) == 12)
        return 0;
    if (f(x) == 40)
        return 0;
    if (swap((struct small){1, x}).a == 30)
        return 0;
    if (first_of(push(l, x)) == 40)
        return 0;
    if (third(9, 1, 2, 3, 4, 5, 6, 7, 8, x) == 50)
        return 0;
    if (third(3, 1, 2, x) == 60)
        return 0;
    if (seventh(1, 2, 3, 4, 5, 6, x) == 100)
        return 0;
    b.high = (unsigned)x;
    u.word = x;
    if (u.bytes[1] == 0x7f && b.high == 21)
        return 0;
    TEASEL_ASSERT(seen == 0);
    return 0;
}
