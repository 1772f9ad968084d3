// Which accesses a long run leaves out depends on each thread's own steps, so that a search can reorder such runs:
// none goes another way than planned, and of the three rounds at the end only the first has orders.
// teasel: strategies=optimal,source runs=100 flags=--keep-going
// expect: races count=2
// expect: race at=16,18
// expect: reason ~ filtered
// expect: executions optimal=5 source=5
#include <pthread.h>
static int x, y, work[2][64];
static void *run(void *arg) {
    long k = (long)arg;
    for (int i = 0; i < 400; i++)
        for (int j = 0; j < 64; j++)
            work[k][j] += i;
    for (int i = 0; i < 3; i++)
        x += y;
    if (k == 1)
        y++;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
