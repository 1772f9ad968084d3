// does not: a signal may come
#include <signal.h>

static volatile sig_atomic_t flag;

static void on_signal(int sig) { flag = sig; }

int main(void) {
    signal(SIGUSR1, on_signal);
    while (!flag)
        ;
}
