// Long path: every element of a large input is looked at.
#include <teasel.h>

int main(void) {
    static unsigned char bytes[20000];
    int n = 0;
    TEASEL_INPUT_ARRAY(bytes, sizeof bytes);
    for (unsigned i = 0; i < sizeof bytes; i++)
        if (bytes[i] > 100)
            n++;
    return n == 3;
}
