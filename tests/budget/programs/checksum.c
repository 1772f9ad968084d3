// Hard: a checksum over an input must be one value.
#include <assert.h>
#include <teasel.h>

int main(void) {
    static unsigned char bytes[64];
    unsigned long sum = 14695981039346656037ul;
    TEASEL_INPUT_ARRAY(bytes, sizeof bytes);
    for (unsigned i = 0; i < sizeof bytes; i++)
        sum = (sum ^ bytes[i]) * 1099511628211ul;
    assert(sum != 0x123456789abcdef);
}
