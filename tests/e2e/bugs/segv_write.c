// A store to an address that is nothing.
// teasel: strategies=random,dfs
// expect: crash at=BUG
#include <stdint.h>

int main(void) {
    volatile int *p = (volatile int *)(uintptr_t)0x1234567800;
    *p = 1; // BUG
    return 0;
}
