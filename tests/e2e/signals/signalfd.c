// A blocked signal is read from a descriptor.
//
// teasel: strategies=random,dfs runs=50
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *sends(void *arg) {
    kill(getpid(), SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    struct signalfd_siginfo info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, 0);
    assert(fd >= 0);
    pthread_create(&thread, NULL, sends, NULL);
    assert(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);
    pthread_join(thread, NULL);
    close(fd);
    return 0;
}
