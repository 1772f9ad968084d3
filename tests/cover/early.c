// Before main, behind it, and in the middle of a crash.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int made;

__attribute__((constructor)) static void make(void) {
    if (!made)
        made = 1;
}

static void leave(void) { made = 0; }

static void fall(int how) {
    volatile int *nowhere = 0;
    if (how == 1)
        *nowhere = 1;
    else if (how == 2)
        abort();
    else if (how == 3)
        kill(getpid(), SIGKILL);
    made = 2;
}

static unsigned hang(unsigned x) {
    while (x != 0)
        x = x * 5 + 3 - x * 4 - 3; // stays as it is
    made = 3;
    return x;
}

int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0;
    atexit(leave);
    if (how == 4)
        hang(1);
    else
        fall(how);
    made = 4;
    return 0;
}
