// The child gets its own session (if it kills its process group, that does not reach the tool) and
// no address randomisation (addresses are part of a Trace), and it dies with the tool.
#include "exec/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void prefer_for_oom_killer(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, "1000", 4) != 4)
        errno = 0; // failure does no harm
    close(fd);
}

// The runtime uses descriptors with numbers below this one.
enum { DESCRIPTORS = 211 };

static void become_program(const tsl_spawn *s, int report_fd, pid_t parent) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prefer_for_oom_killer();
    personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setenv("TEASEL_WIRE", "202", 1);
    setenv("LD_BIND_NOW", "1", 1); // a restart would forget functions that are bound lazily
    unsetenv("TEASEL_REPLAY");
    // dup2 clears close-on-exec, which the originals have.
    if (dup2(s->output_fd, 200) < 0 || dup2(s->stdin_fd, 201) < 0 || dup2(s->wire_fd, 202) < 0 ||
        dup2(201, 0) < 0 || dup2(200, 1) < 0 || dup2(200, 2) < 0)
        ;
    else
        execvp(s->argv[0], s->argv);
    int error = errno;
    if (write(report_fd, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

pid_t tsl_spawn_start(const tsl_spawn *s, tsl_err *err) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return tsl_fail(err, TSL_EIO, "can't make a pipe: %s", strerror(errno)), -1;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        // The pipe must not have one of the fixed numbers above.
        int high = fcntl(report[1], F_DUPFD_CLOEXEC, DESCRIPTORS - 1);
        become_program(s, high < 0 ? report[1] : high, parent);
    }
    close(report[1]);
    int error = 0;
    ssize_t got = pid > 0 ? read(report[0], &error, sizeof error) : 0;
    close(report[0]);
    if (pid < 0)
        return tsl_fail(err, TSL_EIO, "can't make a process: %s (see `ulimit -u`)",
                        strerror(errno)),
               -1;
    if (got == (ssize_t)sizeof error && (error == EBADF || error == EMFILE))
        return tsl_fail(err, TSL_EIO,
                        "can't start %s: at least %d descriptors are needed; raise `ulimit -n`",
                        s->argv[0], DESCRIPTORS),
               -1;
    if (got == (ssize_t)sizeof error)
        return tsl_fail(err, TSL_EIO, "can't start %s: %s", s->argv[0], strerror(error)), -1;
    return pid;
}
