// How a child ends is what its parent sees: by a failed assertion, by a signal that comes while it waits for one.
// teasel: strategies=optimal runs=100
// expect: clean
// expect: verdict ~ complete, but
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int signal_that_ended(pid_t child) {
    int status = 0;
    assert(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(void) {
    pid_t child = fork();
    if (child == 0)
        assert(getppid() == 0);
    assert(signal_that_ended(child) == SIGABRT);
    child = fork();
    while (child == 0)
        pause();
    kill(child, SIGTERM);
    assert(signal_that_ended(child) == SIGTERM);
    return 0;
}
