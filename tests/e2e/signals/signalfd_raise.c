// What a thread sends to itself is read from a descriptor, also what it has sent before there was one.
// teasel: strategies=optimal runs=100
// expect: clean
#include <assert.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void expect(int fd, unsigned sig) {
    struct signalfd_siginfo info;
    assert(read(fd, &info, sizeof info) == sizeof info);
    assert(info.ssi_signo == sig);
}

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    int fd = signalfd(-1, &set, 0);
    expect(fd, SIGUSR1);
    raise(SIGUSR2);
    expect(fd, SIGUSR2);
    return 0;
}
