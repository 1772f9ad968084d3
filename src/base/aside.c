// One fork for one piece of work; see aside.h.
#include "base/aside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"

#define MOST_MEMORY ((rlim_t)8 << 30) // of the work; more makes it fail

static void be_aside(tsl_aside_work *work, void *self, int out, pid_t parent) {
    struct rlimit limit = {MOST_MEMORY, MOST_MEMORY};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); // the parent decides when to stop
    signal(SIGTERM, SIG_IGN);
    setrlimit(RLIMIT_DATA, &limit);
    if (getppid() == parent)
        work(self, out);
    _exit(0);
}

// Reads until the other end is closed.
static bool read_all(int fd, double until, tsl_buf *out) {
    char bytes[4096];
    for (;;) {
        double now = tsl_clock_now(), left = until - now, most = tsl_deadline_left();
        left = left < most ? left : most;
        if (tsl_deadline_passed() || left <= 0)
            return false;
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        if (poll(&poll_fd, 1, left > 1 ? 1000 : 1 + (int)(left * 1000)) <= 0)
            continue;
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n <= 0)
            return n == 0;
        tsl_buf_bytes(out, bytes, (size_t)n);
    }
}

bool tsl_aside(tsl_aside_work *work, void *self, double seconds, tsl_buf *out) {
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return false;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_aside(work, self, ends[1], parent);
    }
    close(ends[1]);
    bool ok = pid > 0 && read_all(ends[0], tsl_clock_now() + (seconds > 0 ? seconds : 1e9), out);
    close(ends[0]);
    if (pid <= 0)
        return false;
    if (!ok)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return ok && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
