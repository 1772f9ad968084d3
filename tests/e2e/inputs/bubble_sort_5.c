// Bubble sort of 5 numbers, equal or not: 5! paths.
// teasel: strategies=optimal,dfs flags=--solver-check
// expect: complete
// expect: executions optimal=120 dfs=120
// expect: paths count=120
// expect: mispredicted count=0
#include <teasel.h>

enum { N = 5 };

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
