// A trylock that fails goes another way, and a timed lock gives up instead of waiting.
// model: T0 = create:1 create:2 exit
// model: T1 = trylock:m/2 write unlock:m atomic-write
// model: T2 = timedlock:m/3 write write unlock:m atomic-write
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=1032
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static _Atomic int y;

static void *tries(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x = 1;
        pthread_mutex_unlock(&m);
    }
    y = 1;
    return arg;
}

static void *waits_a_while(void *arg) {
    static const struct timespec until = {.tv_sec = 1800000000};
    if (pthread_mutex_timedlock(&m, &until) == 0) {
        x = 2;
        x = 3;
        pthread_mutex_unlock(&m);
    }
    y = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, tries, NULL);
    pthread_create(&a, NULL, waits_a_while, NULL);
    return 0;
}
