// Children in sessions of their own, many more than there are processors, that never sleep.
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 200; i++)
        if (fork() == 0) {
            setsid();
            for (volatile int n = 0;; n++)
                ;
        }
    for (;;)
        pause();
}
