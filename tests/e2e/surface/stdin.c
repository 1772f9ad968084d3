// Standard input is the same in every run: empty unless given.
// teasel: strategies=random runs=100
// expect: clean
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[16];
    assert(fgets(line, sizeof line, stdin) == NULL);
    assert(feof(stdin));
    return 0;
}
