// One element past the end is read.
// teasel: strategies=random,dfs
// expect: heap-overflow at=BUG
#include <stdlib.h>

int main(void) {
    int *a = calloc(5, sizeof *a), sum = 0;
    for (int i = 0; i <= 5; i++)
        sum += a[i]; // BUG
    free(a);
    return sum;
}
