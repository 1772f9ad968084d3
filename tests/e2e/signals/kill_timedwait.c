// A signal may end sem_timedwait with EINTR, if nothing is there to take and the handler was set without SA_RESTART.
//
// teasel: strategies=optimal,source,dfs runs=40000 flags=--keep-going
// expect: complete on=optimal
// expect: complete on=source
// expect: assertion at=BUG
// expect: bugs count=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t sem;
static volatile sig_atomic_t came;

static void handler(int sig) {
    (void)sig;
    came = 1;
}

static void *waits(void *arg) {
    struct timespec until = {1, 0};
    if (sem_timedwait(&sem, &until) == 0 || errno == ETIMEDOUT)
        return arg;
    assert(errno == EINTR && came);
    assert(!"interrupted"); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    sem_post(&sem);
    pthread_join(thread, NULL);
    return 0;
}
