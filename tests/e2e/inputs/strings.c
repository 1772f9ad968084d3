// libc's functions let values through: each of these is found, and all of it is complete.
// teasel: strategies=optimal flags=--solver-check,--keep-going,--seconds=60 runs=100000
// expect: complete
// expect: assertion at=BUG
// expect: mispredicted count=0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <teasel.h>

int main(void) {
    char s[4], copy[8];
    TEASEL_INPUT(s);
    s[3] = 0;
    strcpy(copy, s);
    if (TEASEL_CHOOSE(2)) {
        if (isdigit((unsigned char)copy[0]) && atoi(copy) == 407)
            TEASEL_ASSERT(0); // BUG
    } else {
        if (strcmp(copy, "yes") == 0 && strlen(s) == 3 && strchr(s, 'e') == s + 1)
            TEASEL_ASSERT(0); // BUG
    }
    return 0;
}
