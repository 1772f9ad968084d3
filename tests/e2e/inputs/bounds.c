// An index outside a known object: of a heap block, of a global and of a local.
// teasel: strategies=optimal flags=--solver-check,--keep-going
// expect: out-of-bounds at=BUG
#include <stdlib.h>
#include <teasel.h>

static int table[10];

int main(void) {
    unsigned i;
    int local[6] = {0};
    TEASEL_INPUT(i);
    TEASEL_ASSUME(i <= 10);
    int *block = malloc(8 * sizeof *block), x = 0;
    switch (TEASEL_CHOOSE(3)) {
    case 0:
        block[i] = 1; // BUG
        break;
    case 1:
        x = table[i]; // BUG
        break;
    default:
        x = local[i]; // BUG
        break;
    }
    free(block);
    return x;
}
