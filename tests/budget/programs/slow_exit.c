// Endless: a handler that runs at exit never returns.
#include <stdlib.h>

static void never(void) {
    for (volatile unsigned long i = 0;; i++)
        ;
}

int main(void) {
    atexit(never);
    return 0;
}
