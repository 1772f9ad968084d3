// bubble_sort(N): sorts N input numbers.  N! paths.
#include <teasel.h>

#ifndef N
#define N 5
#endif

int main(void) {
    int a[N];
    TEASEL_INPUT(a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j + 1 < N - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i + 1 < N; i++)
        TEASEL_ASSERT(a[i] <= a[i + 1]);
    return 0;
}
