// Sums of sums, 60 deep: the solver takes ten seconds to take such a question in, and looks at none of its limits meanwhile.
#include <teasel.h>

int main(void) {
    unsigned long x = teasel_ulong("x"), s = teasel_ulong("s");
    TEASEL_ASSUME(x > 3 && s > x);
    for (int i = 0; i < 60; i++)
        s = s + (s ^ x);
    if (s == 0x123456789abcdef)
        return 2;
    if (s < x && s > 77)
        return 3;
    return 0;
}
