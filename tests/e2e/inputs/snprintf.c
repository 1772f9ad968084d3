// What is printed into memory depends on what is printed: a number by its digits, as many as it
// has; a string; a character.
// teasel: strategies=optimal flags=--solver-check,--keep-going,--fail-on-exit native=no runs=2000
// expect: assertion at=BUG
// expect: assertion at=BUG2
// expect: assertion at=BUG3
// expect: complete
// expect: mispredicted count=0
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <teasel.h>

static int format(char *to, size_t size, const char *form, ...) {
    va_list args;
    va_start(args, form);
    int n = vsnprintf(to, size, form, args);
    va_end(args);
    return n;
}

int main(void) {
    char text[64], word[3];
    short x = teasel_short("x");
    switch (TEASEL_CHOOSE(3)) {
    case 0:
        if (snprintf(text, sizeof text, "<%d>", x) == 7)
            assert(strcmp(text, "<-1234>") != 0); // BUG
        break;
    case 1:
        sprintf(text, "%08hx|%-4c|", (unsigned short)x, 'c');
        assert(strncmp(text, "0000cafe|c   |", 14) != 0); // BUG2
        break;
    default:
        TEASEL_INPUT(word);
        word[2] = 0;
        if (format(text, 12, "%d%% %5s %lo", 7, word, 8l) >= 12)
            return 1;
        assert(strcmp(text, "7%    ab 10") != 0); // BUG3
    }
    return 0;
}
