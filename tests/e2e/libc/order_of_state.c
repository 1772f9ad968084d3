// What one call leaves behind in libc or in the process another one sees: for each pair both orders are tried.
// teasel: strategies=optimal,source runs=1000 flags=--keep-going native=no
// expect: assertion at=BUG_FOLDER
// expect: assertion at=BUG_OPENED
// expect: assertion at=BUG_LENGTH
// expect: assertion at=BUG_END
// expect: assertion at=BUG_CLOSED
// expect: assertion at=BUG_REPLACED
// expect: assertion at=BUG_WRITTEN
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "teasel.h"

static int file;
static unsigned way;

static void *work(void *arg) {
    if (way < 2)
        chdir("/usr/bin");
    else if (way < 4)
        setlocale(LC_ALL, "C.UTF-8");
    else if (way == 4)
        ftruncate(file, 2);
    else if (way == 5)
        close(file);
    else
        dup2(0, file);
    return arg;
}

static void look(void) {
    struct stat st;
    switch (way) {
    case 0:
        assert(access("etc", F_OK) == 0); // BUG_FOLDER
        break;
    case 1:
        assert(open("etc", O_RDONLY) >= 0); // BUG_OPENED
        break;
    case 2:
        assert(MB_CUR_MAX == 1); // BUG_LENGTH
        break;
    case 3:
        break;
    case 4:
        assert(lseek(file, 0, SEEK_END) == 8); // BUG_END
        break;
    case 5:
        assert(fsync(file) == 0); // BUG_CLOSED
        break;
    case 6:
        assert(fstat(file, &st) == 0 && st.st_size == 8); // BUG_REPLACED
        break;
    default:
        assert(pwrite(file, "x", 1, 0) == 1); // BUG_WRITTEN
    }
}

int main(void) {
    pthread_t thread;
    way = teasel_choose(8);
    file = memfd_create("file", 0);
    write(file, "12345678", 8);
    chdir("/");
    pthread_create(&thread, NULL, work, NULL);
    look();
    pthread_join(thread, NULL);
    return 0;
}
