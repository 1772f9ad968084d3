// Endless: a child leaves the session, outlives its parent and prints without end.
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        setsid();
        while (write(1, "still here\n", 11) > 0)
            ;
    }
    return 0;
}
