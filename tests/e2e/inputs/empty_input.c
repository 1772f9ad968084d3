// An input without bytes is refused.
// teasel: strategies=optimal
// expect: misuse ~ no bytes
#include <teasel.h>

int main(void) {
    char a[4];
    TEASEL_INPUT_ARRAY(a, 0);
    return a[0];
}
