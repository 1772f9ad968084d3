// A signal that comes while its handler runs, and so is blocked, is delivered when the handler returns.
// teasel: strategies=portfolio,optimal,dfs
// expect: complete
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile int first, second, seen;

static void on_first(int sig) {
    (void)sig;
    first++;
    if (first < 3)
        kill(getpid(), SIGUSR1);
    else if (first < 5)
        raise(SIGUSR1);
}

static void on_second(int sig) {
    (void)sig;
    seen = second;
}

static void sends_second(int sig) {
    (void)sig;
    second++;
    raise(SIGUSR2);
    second++;
}

int main(void) {
    struct sigaction both = {.sa_handler = sends_second};
    sigaddset(&both.sa_mask, SIGUSR2);
    sigaction(SIGTERM, &both, NULL);
    signal(SIGUSR1, on_first);
    signal(SIGUSR2, on_second);
    raise(SIGUSR1);
    assert(first == 5);
    raise(SIGTERM);
    assert(second == 2 && seen == 2);
    return 0;
}
