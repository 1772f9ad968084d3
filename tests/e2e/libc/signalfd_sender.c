// teasel: strategies=optimal,source runs=1000
// expect: clean
// expect: complete
//
// A signal that is read from a descriptor says that this process has sent it, by the number that getpid tells.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *look(void *descriptor) {
    struct signalfd_siginfo got;
    assert(read((int)(intptr_t)descriptor, &got, sizeof got) == sizeof got);
    assert(got.ssi_signo == SIGUSR1 && got.ssi_pid == (uint32_t)getpid());
    return NULL;
}

int main(void) {
    sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int descriptor = signalfd(-1, &set, 0);
    kill(getpid(), SIGUSR1);
    pthread_create(&thread, NULL, look, (void *)(intptr_t)descriptor);
    pthread_join(thread, NULL);
    return 0;
}
