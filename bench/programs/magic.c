// magic: eight input bytes, each compared with a constant.  9 paths.
#include <teasel.h>

int main(void) {
    static const char magic[] = "TEASEL01";
    char s[8];
    TEASEL_INPUT(s);
    for (int i = 0; i < 8; i++)
        if (s[i] != magic[i])
            return 1;
    return 0;
}
