// A child that kills its parent is a part of the program: that is no lack of memory.
// teasel: strategies=portfolio native=no determinism=no
// expect: crash
// expect: replay none
#include <signal.h>
#include <unistd.h>

int main(void) {
    pid_t self = getpid();
    if (fork() == 0) {
        kill(self, SIGKILL);
        _exit(0);
    }
    for (;;)
        pause();
}
