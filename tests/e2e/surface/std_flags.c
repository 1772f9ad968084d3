// Flags set on a standard stream do not reach the next run.
// teasel: strategies=random runs=100
// expect: clean
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    int flags = fcntl(1, F_GETFL);
    assert(!(flags & (O_NONBLOCK | O_APPEND)));
    assert(fcntl(1, F_SETFL, flags | O_NONBLOCK | O_APPEND) == 0);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
