// The same for streams, which also says how far they were read.
// teasel: strategies=optimal flags=--stdin=3,--solver-check,--seconds=100 native=no runs=100000
// expect: complete
// expect: mispredicted count=0
#include <stdio.h>
#include <teasel.h>

static const char *const formats[] = {
    "%d",       "%i",       "%x",    "%o",     "%2u%c", "%s",     "%2s%d", "%3c",      "%[a-c]%n",
    "%[^,],%d", " %d , %x", "%*d%d", "%d%%%d", "%1i%d", "%*s %c", "a%db",  "%hhd%lld", "%[]-]%[^]]",
};

int main(void) {
    char a[16], b[16];
    const char *format = formats[TEASEL_CHOOSE(sizeof formats / sizeof *formats)];
    return scanf(format, a, b) == 7;
}
