// Each run has a process of its own and waits a moment for another.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        for (volatile int i = 0; i < 20000000; i++)
            ;
        _exit(0);
    }
    wait(NULL);
    return 0;
}
