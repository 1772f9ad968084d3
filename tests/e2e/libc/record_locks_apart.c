// What does not keep threads apart: shared locks, other ranges, a lock of the process, a lock that is not waited for, flock beside
// a lock of fcntl.  Two threads that want two records each may wait for each other.
// teasel: strategies=optimal,source runs=100000 flags=--keep-going
// expect: assertion at=BUG_INSIDE
// expect: assertion at=BUG_TRIED
// expect: assertion at=BUG_FOUND
// expect: deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "teasel.h"

static int first, second, inside;
static unsigned way;

static int lock(int fd, int command, int type, off_t from, off_t length) {
    struct flock record = {.l_type = (short)type, .l_start = from, .l_len = length};
    return fcntl(fd, command, &record);
}

static void enter(void) {
    __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
    assert(__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST) == 1); // BUG_INSIDE
}

static void work_as(int fd, int who) {
    struct flock record = {.l_type = F_WRLCK};
    switch (way) {
    case 0:
        lock(fd, F_OFD_SETLKW, F_RDLCK, 0, 0);
        break;
    case 1:
        lock(fd, F_OFD_SETLKW, F_WRLCK, 5 * who, 5);
        break;
    case 2:
        lockf(fd, F_LOCK, 0);
        break;
    case 3:
        who ? lock(fd, F_OFD_SETLKW, F_WRLCK, 0, 0) : flock(fd, LOCK_EX);
        break;
    case 4:
        assert(lock(fd, F_OFD_SETLK, F_WRLCK, 0, 0) == 0); // BUG_TRIED
        break;
    case 5:
        assert(fcntl(fd, F_OFD_GETLK, &record) == 0 && record.l_type == F_UNLCK); // BUG_FOUND
        lock(fd, F_OFD_SETLKW, F_WRLCK, 0, 0);
        break;
    default:
        lock(fd, F_OFD_SETLKW, F_WRLCK, who, 1);
        lock(fd, F_OFD_SETLKW, F_WRLCK, !who, 1);
    }
    enter();
    close(fd);
}

static void *work(void *arg) {
    work_as(second, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    char name[] = "/tmp/recordsXXXXXX";
    first = mkstemp(name);
    second = open(name, O_RDWR);
    unlink(name);
    way = teasel_choose(7);
    pthread_create(&thread, NULL, work, NULL);
    work_as(first, 0);
    pthread_join(thread, NULL);
    return 0;
}
