// The same for a destructor, and a thread that polls.
// teasel: strategies=optimal,random runs=2000
// expect: clean
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_t thread;
static atomic_int stop;

static void *work(void *arg) {
    while (!stop)
        usleep(1000);
    return arg;
}

__attribute__((destructor)) static void quit(void) {
    stop = 1;
    pthread_join(thread, NULL);
}

int main(void) {
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
