// teasel: strategies=optimal runs=100 native=no determinism=no
// expect: clean
// expect: reason ~ outside
//
// The first run makes a folder and all others find it: the runs are not the same.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int found;

static void *make(void *arg) {
    found = mkdir("left", 0700) != 0;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, NULL);
    return 0;
}
