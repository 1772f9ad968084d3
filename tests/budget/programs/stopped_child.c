// Stopped: the program waits for a child that has stopped.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    waitpid(child, 0, 0);
}
