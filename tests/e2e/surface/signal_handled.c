// A program's own handlers run: raise, and a signal of its own kind.
// teasel: strategies=random runs=50
// expect: clean
#include <assert.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t got;

static void handler(int number) { got = number; }

int main(void) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == handler);
    assert(raise(SIGUSR1) == 0);
    assert(got == SIGUSR1);
    got = 0;
    signal(SIGUSR2, handler);
    raise(SIGUSR2);
    assert(got == SIGUSR2);
    got = 0;
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
    assert(got == 0);
    return 0;
}
