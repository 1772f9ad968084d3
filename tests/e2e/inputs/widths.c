// Arithmetic of every width, signed and not: each answer is checked against the run.
// teasel: strategies=optimal flags=--solver-check
// expect: complete
// expect: mispredicted count=0
#include <teasel.h>

#define TRY(type, name)                                                                            \
    static int name(type a, type b) {                                                              \
        type x = (type)(a + b), y = (type)(a - b), z = (type)(a * 3);                              \
        type u = (type)(a / (type)7), v = (type)(b % (type)5);                                     \
        type s = (type)((type)(a << 2) ^ (type)(b >> 1)), n = (type) ~(a | b), m = (type)(a & b);  \
        int odd = (x & 1) == (y & 1);                                                              \
        if (x == 17)                                                                               \
            odd += 2;                                                                              \
        if (z == 33)                                                                               \
            odd += 4;                                                                              \
        if (u == 3)                                                                                \
            odd += 8;                                                                              \
        if (v == 2)                                                                                \
            odd += 16;                                                                             \
        return odd + (s == n) + (m == (type)-1);                                                   \
    }

TRY(signed char, f1)
TRY(unsigned char, f2)
TRY(short, f3)
TRY(unsigned short, f4)
TRY(int, f5)
TRY(unsigned, f6)
TRY(long, f7)
TRY(unsigned long, f8)

int main(void) {
    int sum = 0;
    switch (TEASEL_CHOOSE(8)) {
    case 0:
        sum = f1(teasel_char("a"), teasel_char("b"));
        break;
    case 1:
        sum = f2(teasel_uchar("a"), teasel_uchar("b"));
        break;
    case 2:
        sum = f3(teasel_short("a"), teasel_short("b"));
        break;
    case 3:
        sum = f4(teasel_ushort("a"), teasel_ushort("b"));
        break;
    case 4:
        sum = f5(teasel_int("a"), 11);
        break;
    case 5:
        sum = f6(teasel_uint("a"), 11);
        break;
    case 6:
        sum = f7(teasel_long("a"), 11);
        break;
    default:
        sum = f8(teasel_ulong("a"), 11);
        break;
    }
    TEASEL_ASSERT(sum >= 0);
    return 0;
}
