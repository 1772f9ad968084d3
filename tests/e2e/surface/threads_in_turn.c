// More threads than there are numbers for, one after the other: the runtime gives up, and the program is not blamed.
//
// teasel: strategies=random runs=1 determinism=no
// expect: reason ~ runtime-error
#include <assert.h>
#include <pthread.h>

static void *thread(void *arg) { return arg; }

int main(void) {
    for (int i = 0; i < 5000; i++) {
        pthread_t t;
        assert(pthread_create(&t, NULL, thread, NULL) == 0);
        pthread_join(t, NULL);
    }
    return 0;
}
