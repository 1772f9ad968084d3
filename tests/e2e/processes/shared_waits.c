// Conditions and barriers do not hear of what another process does: such a run ends without a finding, and
// the verdict says so. It is no deadlock.
// teasel: strategies=random runs=2 determinism=no
// expect: clean
// expect: verdict ~ incomplete
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status;
    pthread_barrierattr_t attr;
    pthread_barrier_t *barrier =
        mmap(NULL, sizeof *barrier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_init(&attr);
    pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(barrier, &attr, 3);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    pthread_barrier_wait(barrier);
    assert(waitpid(child, &status, 0) == child);
    return 0;
}
