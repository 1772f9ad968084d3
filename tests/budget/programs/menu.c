// Endless: a menu that is driven by inputs.
#include <teasel.h>

int main(void) {
    int sum = 0;
    for (;;) {
        switch (teasel_int("choice")) {
        case 1:
            sum++;
            break;
        case 2:
            sum--;
            break;
        case 9:
            return sum;
        default:
            break;
        }
    }
}
