// Register-bound: the longest Collatz chain below a limit.  Nothing here needs memory.
#include <stdint.h>
#include <stdio.h>

enum { LIMIT = 2000000 };

static unsigned chain(uint64_t n) {
    unsigned steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void) {
    unsigned longest = 0;
    uint64_t which = 0;
    for (uint64_t n = 1; n < LIMIT; n++) {
        unsigned steps = chain(n);
        if (steps > longest) {
            longest = steps;
            which = n;
        }
    }
    printf("%llu has %u steps\n", (unsigned long long)which, longest);
    return 0;
}
