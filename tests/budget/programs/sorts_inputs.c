// Long path: sorts an input of 200 numbers, so that every question to the solver has thousands of conditions.
#include <teasel.h>

int main(void) {
    int a[200];
    TEASEL_INPUT(a);
    for (int i = 0; i < 200; i++)
        for (int j = 0; j + 1 < 200 - i; j++)
            if (a[j] > a[j + 1]) {
                int higher = a[j];
                a[j] = a[j + 1];
                a[j + 1] = higher;
            }
    return a[0] == 5 && a[199] == 7;
}
