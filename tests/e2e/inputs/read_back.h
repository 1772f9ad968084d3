// A number that depends on an input goes out and comes back.  Nobody follows it there, so a search over inputs must not call itself complete.
#include "teasel.h"

static int write_and_read(int value);

int main(void) {
    int value;
    TEASEL_INPUT(value);
    return write_and_read(value) == 12345;
}
