// Greedy: starts children that stay.
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 50; i++)
        if (fork() == 0)
            for (;;)
                pause();
    for (;;)
        pause();
}
