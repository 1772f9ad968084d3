// A thread that waits for a lock of fcntl can be cancelled and leaves nothing locked behind; one that waits in flock can't.
// teasel: strategies=optimal,source runs=100000
// expect: clean
// expect: verdict ~ ^complete
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "teasel.h"

static int first, second, third;
static unsigned by_flock;

static void lock(int fd, int type) {
    struct flock record = {.l_type = (short)type};
    if (by_flock)
        assert(flock(fd, type == F_UNLCK ? LOCK_UN : LOCK_EX) == 0);
    else
        assert(fcntl(fd, F_OFD_SETLKW, &record) == 0);
}

static void *work(void *arg) {
    lock(second, F_WRLCK);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    lock(second, F_UNLCK);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *result;
    char name[] = "/tmp/recordsXXXXXX";
    first = mkstemp(name);
    second = open(name, O_RDWR);
    third = open(name, O_RDWR);
    unlink(name);
    by_flock = teasel_choose(2);
    lock(first, F_WRLCK);
    pthread_create(&thread, NULL, work, &thread);
    pthread_cancel(thread);
    if (by_flock)
        lock(first, F_UNLCK);
    pthread_join(thread, &result);
    assert(by_flock ? result == &thread : result == PTHREAD_CANCELED);
    if (!by_flock)
        lock(first, F_UNLCK);
    lock(third, F_WRLCK);
    return 0;
}
