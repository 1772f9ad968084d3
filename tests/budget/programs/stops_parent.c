// Stopped: the program stops the process that started it.
#include <signal.h>
#include <unistd.h>

int main(void) {
    kill(getppid(), SIGSTOP);
    pause();
}
