// What is followed of sscanf is what glibc does, with every format and every text of three
// characters: else it would be said, and nothing be complete.
// teasel: strategies=optimal flags=--argv=@3,--solver-check,--seconds=100 native=no runs=100000
// expect: complete
// expect: mispredicted count=0
#include <stdio.h>
#include <teasel.h>

static const char *const formats[] = {
    "%d",       "%i",       "%x",    "%o",     "%2u%c", "%s",     "%2s%d", "%3c",      "%[a-c]%n",
    "%[^,],%d", " %d , %x", "%*d%d", "%d%%%d", "%1i%d", "%*s %c", "a%db",  "%hhd%lld", "%[]-]%[^]]",
};

int main(int argc, char **argv) {
    char a[16], b[16];
    const char *format = formats[TEASEL_CHOOSE(sizeof formats / sizeof *formats)];
    return argc == 2 && sscanf(argv[1], format, a, b) == 7;
}
