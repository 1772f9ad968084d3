// A size that depends on an input is taken as it comes, and then nothing is called complete.
// teasel: strategies=optimal
// expect: clean
// expect: note ~ malloc
// expect: verdict ~ incomplete
#include <stdlib.h>
#include <teasel.h>

int main(void) {
    unsigned n;
    TEASEL_INPUT(n);
    TEASEL_ASSUME(n < 100);
    free(malloc(n));
    return 0;
}
