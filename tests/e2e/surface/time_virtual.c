// Time is virtual: a year of sleep takes none of yours.
// teasel: strategies=random,dfs runs=50 native=no timeout=60
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *sleeper(void *arg) {
    assert(sleep(86400) == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    time_t start = time(NULL);
    pthread_create(&thread, NULL, sleeper, NULL);
    assert(sleep(365 * 86400) == 0);
    assert(time(NULL) - start >= 365 * 86400);
    pthread_join(thread, NULL);
    return 0;
}
