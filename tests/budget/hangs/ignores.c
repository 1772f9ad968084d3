// hangs: signals are ignored, not handled
#include <signal.h>

int main(void) {
    signal(SIGINT, SIG_IGN);
    for (;;)
        ;
}
