// Locks of fcntl that belong to an open file keep threads apart, also from locks of the process; whatever gives one back lets the
// other thread go on: unlocking, closing, the last of several copies of a descriptor.
// teasel: strategies=optimal,source runs=100000
// expect: clean
// expect: verdict ~ ^complete
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "teasel.h"

enum way {
    UNLOCK,
    CLOSE,
    FCLOSE,
    DUP2,
    COPY,
    COPY_FLOCK,
    OVERLAP,
    READERS,
    LOCKF,
    ANY_CLOSE,
    WAYS
};

static int first, second, third, inside;
static unsigned way;

static int lock(int fd, int command, int type, off_t from, off_t length) {
    struct flock record = {.l_type = (short)type, .l_start = from, .l_len = length};
    return fcntl(fd, command, &record);
}

static void enter(void) {
    assert(++inside == 1);
    inside--;
}

static void take(int fd, int who) {
    int type = way == READERS && who ? F_RDLCK : F_WRLCK;
    bool of_process = who && (way == LOCKF || way == ANY_CLOSE);
    if (way == COPY_FLOCK)
        assert(flock(fd, LOCK_EX) == 0);
    else if (way == LOCKF && who)
        assert(lockf(fd, F_LOCK, 0) == 0);
    else
        assert(lock(fd, of_process ? F_SETLKW : F_OFD_SETLKW, type, way == OVERLAP ? 5 * who : 0,
                    way == OVERLAP ? 6 : 0) == 0);
}

static void give(int fd, int who) {
    if (way == FCLOSE)
        fclose(fdopen(fd, "r+"));
    else if (way == DUP2)
        dup2(0, fd);
    else if (way == ANY_CLOSE && who)
        close(third);
    else if (way == LOCKF && who)
        assert(lockf(fd, F_ULOCK, 0) == 0);
    else if (way == UNLOCK)
        assert(lock(fd, F_OFD_SETLK, F_UNLCK, 0, 0) == 0);
    else
        close(fd);
}

static void work_as(int fd, int who) {
    take(fd, who);
    if (way == COPY || way == COPY_FLOCK) {
        int copy = dup(fd);
        close(fd);
        fd = copy;
    }
    enter();
    give(fd, who);
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
    third = open(name, O_RDWR);
    unlink(name);
    way = teasel_choose(WAYS);
    pthread_create(&thread, NULL, work, NULL);
    work_as(first, 0);
    pthread_join(thread, NULL);
    return 0;
}
