// Wide: choices in choices.
#include <teasel.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 200; i++)
        sum += TEASEL_CHOOSE(100);
    return sum == 7;
}
