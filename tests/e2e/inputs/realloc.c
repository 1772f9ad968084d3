// Inputs move with the block that realloc copies.
// teasel: strategies=optimal,paths native=no
// expect: assertion at=17
// expect: replay same
#include <assert.h>
#include <stdlib.h>

#include "teasel.h"

int main(void) {
    int x;
    TEASEL_INPUT(x);
    int *p = malloc(sizeof *p);
    *p = x;
    p = realloc(p, 400);
    p = reallocarray(p, 10, sizeof *p);
    assert(*p != 4711);
    free(p);
    return 0;
}
