// does not: each round takes memory and gives it back, which is not looked into
#include <stdlib.h>

int main(void) {
    for (;;) {
        volatile char *p = malloc(16);
        *p = 1;
        free((void *)p);
    }
}
