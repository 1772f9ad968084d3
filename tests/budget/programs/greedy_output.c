// Greedy: prints without end.
#include <stdio.h>

int main(void) {
    for (;;)
        puts("and on and on and on and on and on and on and on and on and on and on");
}
