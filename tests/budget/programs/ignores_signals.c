// Endless: blocks every signal it can.
#include <signal.h>

int main(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    for (volatile unsigned long i = 0;; i++)
        ;
}
