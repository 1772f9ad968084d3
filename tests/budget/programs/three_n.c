// Long path: each number is computed from the one before, so that questions to the solver are deep sums.
#include <teasel.h>

int main(void) {
    unsigned long x;
    unsigned n = 0;
    TEASEL_INPUT(x);
    while (x != 1 && n < 100000) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        n++;
    }
    return n == 77;
}
