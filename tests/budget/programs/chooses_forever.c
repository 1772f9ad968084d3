// A run of a million choices: what is kept of the way to each must not be the whole way.
#include <assert.h>
#include <teasel.h>

int main(void) {
    int n = 0;
    for (;;) {
        n += (int)TEASEL_CHOOSE(3) - 1;
        assert(n < 9);
    }
}
