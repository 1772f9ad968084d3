// bits_division: shifts, masks, products and quotients of two inputs; every case can be reached.
#include <teasel.h>

int main(void) {
    unsigned a, b;
    int cases = 0;
    TEASEL_INPUT(a);
    TEASEL_INPUT(b);
    TEASEL_ASSUME(b != 0 && b < 1000 && a < 100000);
    if ((a & 0xff) == (b & 0xff))
        cases |= 1;
    if (a / b == 17)
        cases |= 2;
    if (a % b == 5)
        cases |= 4;
    if (((a << 3) ^ (b >> 1)) % 7 == 3)
        cases |= 8;
    if (a * b > 1000000)
        cases |= 16;
    return cases;
}
