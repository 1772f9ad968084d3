// What raw system calls read and write is told as that of the functions of the same name.
// teasel: strategies=optimal,source,portfolio flags=--keep-going
// expect: complete
// expect: assertion at=BUG
// expect: race at=16
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fd, got, both;

static void *reader(void *arg) {
    syscall(SYS_pread64, fd, &both, 4L, 0L);
    syscall(SYS_pread64, fd, arg, 4L, 0L);
    return arg;
}

static void *writer(void *arg) {
    int seven = 7;
    syscall(SYS_pwrite64, fd, &seven, 4L, 0L);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    int other;
    fd = memfd_create("file", 0);
    ftruncate(fd, 4);
    pthread_create(&a, NULL, reader, &got);
    pthread_create(&b, NULL, reader, &other);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(got == 0 || other == 7); // BUG
    return 0;
}
