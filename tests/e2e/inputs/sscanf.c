// Numbers and words out of text that is an input.
// teasel: strategies=optimal flags=--argv=@7,--solver-check,--keep-going native=no runs=20000
// expect: assertion at=BUG
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int number = 0;
    char unit = 0;
    if (argc == 2 && sscanf(argv[1], "%d-%c", &number, &unit) == 2)
        if (number == -80 && unit == 'k')
            assert(!"-80-k"); // BUG
    return 0;
}
