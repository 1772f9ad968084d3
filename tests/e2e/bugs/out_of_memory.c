// The program takes all memory it can get: malloc fails in the end, nothing else does.
// teasel: strategies=random runs=2 native=no timeout=120 determinism=no emulated=no
// expect: clean
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char *volatile kept;
    for (int i = 0; i < 100000; i++) {
        errno = 0;
        char *p = malloc(16 << 20);
        if (!p) {
            assert(errno == ENOMEM);
            return 0;
        }
        memset(p, 1, 4096);
        kept = p;
    }
    return 0;
}
