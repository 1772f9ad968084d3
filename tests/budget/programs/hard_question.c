// Hard: a question that no solver answers in time.
#include <assert.h>
#include <teasel.h>

int main(void) {
    unsigned long a = teasel_ulong("a"), b = teasel_ulong("b");
    unsigned __int128 product = (unsigned __int128)a * b;
    if (a > 1 && b > 1 && (unsigned long)(product >> 64) == 0x1234567 &&
        (unsigned long)product == 0x9e3779b97f4a7c15)
        assert(0);
}
