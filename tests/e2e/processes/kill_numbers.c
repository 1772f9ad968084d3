// Numbers of processes that are made up never reach the kernel, where they are somebody else's.
// teasel: strategies=portfolio native=no
// expect: clean
// expect: verdict ~ but for what is not controlled
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int got;

static void handler(int sig) {
    (void)sig;
    got++;
}

// Every way to send a signal to itself.
static void to_itself(void) {
    union sigval none = {0};
    kill(getpid(), SIGUSR1);
    kill(0, SIGUSR1);
    kill(-getpgrp(), SIGUSR1);
    killpg(getpgrp(), SIGUSR1);
    sigqueue(getpid(), SIGUSR1, none);
    pthread_sigqueue(pthread_self(), SIGUSR1, none);
    tgkill(getpid(), gettid(), SIGUSR1);
    syscall(SYS_kill, getpid(), SIGUSR1);
    syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
    syscall(SYS_tkill, gettid(), SIGUSR1);
    assert(got == 10);
}

// Nobody but children is everybody.
static void to_others(void) {
    assert(kill(-1, SIGUSR1) == -1 && errno == ESRCH);
    assert(kill(getppid(), SIGTERM) == 0 && kill(getppid(), 0) == 0);
    assert(tgkill(getpid(), gettid() + 1, SIGUSR1) == -1 && errno == ESRCH);
    assert(kill(getpid(), 65) == -1 && errno == EINVAL);
}

// A child knows the number that its parent had told.
static void from_children(pid_t self) {
    int status;
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0)
        _exit(kill(self, 0) == 0 ? 3 : 4);
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        for (;;)
            pause();
    assert(kill(-1, SIGKILL) == 0);
    assert(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGKILL);
    assert(syscall(SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0) == -1);
}

int main(void) {
    signal(SIGUSR1, handler);
    to_itself();
    to_others();
    from_children(getpid());
    return 0;
}
