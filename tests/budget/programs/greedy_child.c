// Greedy: a child takes all the memory there is, up to a gigabyte.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 1024; i++) {
            void *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (p != MAP_FAILED)
                memset(p, 1, 1 << 20);
        }
        for (;;)
            pause();
    }
    waitpid(child, 0, 0);
}
