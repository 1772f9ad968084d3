// Real-time signals are not controlled: the census says so.
// teasel: strategies=random runs=20
// expect: clean
// expect: note ~ signal
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got;

static void handler(int number) { got = number; }

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    assert(sigaction(SIGRTMIN, &action, NULL) == 0);
    assert(raise(SIGRTMIN) == 0);
    assert(got == SIGRTMIN);
    return 0;
}
