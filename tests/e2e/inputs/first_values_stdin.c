// The first run reads what --seed-input says, so what no solver finds is found at once.  Other
// inputs have nothing of it.
// teasel: strategies=optimal flags=--stdin=5,--seed-input={folder}/first_values.txt,--solver-check native=no
// expect: assertion at=BUG
// expect: found within=1
#include <assert.h>
#include <stdio.h>
#include <teasel.h>

int main(void) {
    unsigned hash = 5381;
    char other = teasel_char("other");
    for (int c; (c = getchar()) != EOF;)
        hash = hash * 33 ^ (unsigned)c;
    assert(hash != 0xa66d984 || other == 'm'); // BUG
    return 0;
}
