// Two characters, read as a number.  The first is
//
//     the end, or something that starts no number     1 path each
//     a digit                                         2: the next one is one too, or not
//     a - or a +                                      2 each: a digit follows, or not
//     a space                                         6: then the end, a -, a +, a digit, a space,
//                                                        something else
// teasel: strategies=optimal,dfs flags=--argv=@2,--solver-check native=no
// expect: complete
// expect: paths count=14
// expect: mispredicted count=0
#include <stdio.h>

int main(int argc, char **argv) {
    int number = 0;
    return argc == 2 && sscanf(argv[1], "%d", &number) == 7;
}
