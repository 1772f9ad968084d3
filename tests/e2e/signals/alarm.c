// Threads that only an alarm can wake up: it comes when nobody can run, in no time; a handler posts, another one
// ends a pause.
// teasel: strategies=optimal,source,dfs runs=1000 determinism=no
// expect: clean
// expect: verdict ~ complete, but
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static sem_t posted;
static volatile sig_atomic_t rings;

static void post(int sig) {
    (void)sig;
    sem_post(&posted);
}

static void ring(int sig) { rings += sig == SIGALRM; }

int main(void) {
    struct itimerval soon = {.it_value = {.tv_sec = 1}, .it_interval = {.tv_usec = 100}};
    sem_init(&posted, 0, 0);
    signal(SIGALRM, post);
    alarm(1);
    while (sem_wait(&posted) != 0)
        assert(errno == EINTR);
    signal(SIGALRM, ring);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (rings < 2)
        pause();
    return 0;
}
