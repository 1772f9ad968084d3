// What a child does lets its parent go on: a semaphore in shared memory, SIGCHLD by handler and by sigwait, and a
// pipe that only a grandchild holds open.
// teasel: strategies=optimal,dfs runs=100 determinism=no
// expect: clean
// expect: verdict ~ complete, but
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t children;

static void ended(int sig) { children += sig == SIGCHLD; }

static void shared_semaphore(void) {
    sem_t *sem = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(sem, 1, 0);
    if (fork() == 0) {
        sem_post(sem);
        _exit(0);
    }
    sem_wait(sem);
    wait(NULL);
}

static void by_handler(sigset_t *none) {
    signal(SIGCHLD, ended);
    if (fork() == 0)
        _exit(0);
    while (!children)
        sigsuspend(none);
    wait(NULL);
    signal(SIGCHLD, SIG_DFL);
}

static void by_sigwait(sigset_t *set) {
    int sig;
    if (fork() == 0)
        _exit(0);
    assert(sigwait(set, &sig) == 0 && sig == SIGCHLD);
    wait(NULL);
}

static void by_grandchild(void) {
    int ends[2];
    char byte = 0;
    assert(pipe(ends) == 0);
    if (fork() == 0) {
        if (fork() == 0)
            assert(write(ends[1], "x", 1) == 1);
        _exit(0);
    }
    close(ends[1]);
    wait(NULL);
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
}

int main(void) {
    sigset_t set, none;
    shared_semaphore();
    by_grandchild();
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &none);
    by_handler(&none);
    by_sigwait(&set);
    return 0;
}
