// Libraries that skip their locks while __libc_single_threaded is set must take them once there are
// threads, in every run, and may skip them before.
// teasel: strategies=random,optimal
// expect: clean
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>
#include <sys/single_threaded.h>

static int count, locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
    int threads = !__libc_single_threaded;
    if (threads)
        pthread_mutex_lock(&lock);
    count++;
    locked += threads;
    if (threads)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    add(NULL);
    assert(locked == 0); // also in the next run
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 3 && locked == 2);
    return 0;
}
