// Bubble sort of 4 numbers, equal or not: 4! paths.
// teasel: strategies=optimal,dfs,paths flags=--solver-check
// expect: complete
// expect: executions optimal=24 dfs=24 paths=24
// expect: paths count=24
// expect: mispredicted count=0
#include <teasel.h>

enum { N = 4 };

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
