// A daemon waits for a signal when the process that forked it has long gone.
// teasel: strategies=optimal runs=3 determinism=no
// expect: clean
#include <assert.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void serve(int fd) {
    pid_t self = getpid();
    assert(write(fd, &self, sizeof self) == sizeof self);
    for (;;)
        pause();
}

int main(void) {
    int fds[2];
    char byte;
    pid_t daemon, child;
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    child = fork();
    if (child == 0) {
        if (fork() == 0)
            serve(fds[1]);
        _exit(0);
    }
    close(fds[1]);
    waitpid(child, 0, 0);
    assert(read(fds[0], &daemon, sizeof daemon) == sizeof daemon);
    for (volatile int i = 0; i < 20000000; i++)
        ;
    assert(recv(fds[0], &byte, 1, MSG_DONTWAIT) == -1); // 0 if the daemon had ended
    assert(kill(daemon, SIGTERM) == 0);
    assert(read(fds[0], &byte, 1) == 0);
    return 0;
}
