// A program that wants all its memory to stay: the runtime's own mappings are not brought in, and it is told that it has worked.
// teasel: strategies=optimal
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *thread(void *arg) { return arg; }

int main(void) {
    pthread_t t;
    assert(mlockall(0) == -1 && errno == EINVAL);
    int locked = mlockall(MCL_CURRENT | MCL_FUTURE); // a real system may have a limit
    assert(locked == 0 || errno == ENOMEM || errno == EPERM);
    locked = (int)syscall(SYS_mlockall, MCL_FUTURE);
    assert(locked == 0 || errno == ENOMEM || errno == EPERM);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(munlockall() == 0);
    return 0;
}
