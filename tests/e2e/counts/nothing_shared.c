// Three threads that do nothing: their starts and ends interleave.
// model: T0 = +1 +2 +3 a =1 b =2 c =3
// model: T1 =
// model: T2 =
// model: T3 =
// teasel: strategies=dfs runs=100000
// expect: complete
// expect: executions dfs=10349
#include <pthread.h>

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, nothing, NULL);
    pthread_create(&b, NULL, nothing, NULL);
    pthread_create(&c, NULL, nothing, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
