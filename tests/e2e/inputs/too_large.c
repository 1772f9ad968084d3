// An input that is larger than inputs can be is a misuse, and the message tells both sizes.
//
// teasel: runs=1
// expect: misuse at=BUG
// expect: message ~ input much has 70000 bytes; at most 65536 are possible
#include <teasel.h>

static char bytes[70000];

int main(void) {
    teasel_input(bytes, sizeof bytes, "much", 0, 1); // BUG
    return bytes[0] == bytes[1];
}
