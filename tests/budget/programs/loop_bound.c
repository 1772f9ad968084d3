// Long: an input becomes the bound of a loop.
#include <teasel.h>

int main(void) {
    unsigned bound = (unsigned)teasel_int("bound"), sum = 0;
    for (unsigned i = 0; i < bound; i++)
        sum += i % 7;
    return sum == 42;
}
