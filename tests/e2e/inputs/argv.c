// Arguments are inputs: an option by its name, and a number.
// teasel: strategies=optimal flags="--argv=-v --size=@3 @4,--solver-check,--keep-going" native=no runs=5000
// expect: assertion at=BUG
// expect: complete
// expect: mispredicted count=0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 4 || strcmp(argv[1], "-v") != 0 || strncmp(argv[2], "--size=", 7) != 0)
        return 1;
    if (atoi(argv[2] + 7) == 640 && strcmp(argv[3], "fast") == 0)
        assert(!"both"); // BUG
    return 0;
}
