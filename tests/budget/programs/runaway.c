// Endless: a grandchild leaves the session of the program and goes on.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    pid_t child = fork();
    if (child == 0) {
        setsid();
        alarm(20);
        for (;;)
            pause();
    }
    for (;;)
        pause();
}
