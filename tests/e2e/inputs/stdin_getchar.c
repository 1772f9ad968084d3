// Standard input is an input: a magic word, a character at a time.  A path ends at each of its
// characters, or behind the last one.
// teasel: strategies=optimal,dfs flags=--stdin=5,--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=6
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>

int main(void) {
    const char *word = "magic";
    for (int i = 0; i < 5; i++)
        if (getchar() != word[i])
            return 0;
    assert(getchar() == EOF);
    assert(!"found"); // BUG
}
