// Wide: an input becomes the number of threads.
#include <pthread.h>
#include <teasel.h>

static int n;

static void *work(void *unused) {
    n++;
    return unused;
}

int main(void) {
    unsigned count = (unsigned)teasel_int("threads");
    for (unsigned i = 0; i < count; i++) {
        pthread_t t;
        if (pthread_create(&t, 0, work, 0) == 0)
            pthread_detach(t);
    }
}
