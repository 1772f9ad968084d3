// Two threads lock one file, each through a descriptor of its own: the second waits, and closing gives the lock back.
// teasel: strategies=optimal runs=1000
// expect: clean
// expect: complete
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

static int inside;

static void *work(void *arg) {
    int fd = open("/etc/group", O_RDONLY);
    assert(flock(fd, LOCK_EX) == 0);
    assert(++inside == 1);
    inside--;
    if (arg)
        assert(flock(fd, LOCK_UN) == 0);
    close(fd);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, &t);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
