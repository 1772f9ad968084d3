// A shared lock lets two threads in.
// teasel: strategies=optimal,random runs=2000
// expect: assertion at=BUG_INSIDE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/file.h>

static atomic_int inside;

static void *work(void *arg) {
    flock(open("/etc/passwd", O_RDONLY), LOCK_SH);
    assert(++inside == 1); // BUG_INSIDE
    inside--;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
