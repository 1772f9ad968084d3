// A child pauses until its parent sends a signal: the handler ends the pause.
//
// teasel: strategies=random,optimal runs=5 determinism=no
// expect: clean
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void on_signal(int sig) {
    (void)sig;
    asked = 1;
}

int main(void) {
    int status = 0, ends[2];
    char byte;
    signal(SIGUSR1, on_signal);
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (write(ends[1], "x", 1) != 1)
            _exit(1);
        while (!asked)
            pause();
        _exit(9);
    }
    close(ends[1]);
    assert(read(ends[0], &byte, 1) == 1);
    do // the child may not have come to its pause
        kill(child, SIGUSR1);
    while (waitpid(child, &status, WNOHANG) == 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 9);
    return 0;
}
