// Starts the process behind a runner up to main, and makes sure that it is gone in the end.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "exec/inner.h"
#include "exec/orphans.h"
#include "exec/spawn.h"

#define START_SECONDS 30.0
#define DYING_SECONDS 0.1 // how long to wait for its death after the deadline

void tsl_exec_futex_wait(uint32_t *word, uint32_t value, double seconds) {
    struct timespec ts = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &ts, NULL, 0);
}

void tsl_exec_futex_wake(uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

// ---------------------------------------------------------------- its end

// A process with much memory takes a while to die.  After the deadline the tool does not wait.
static void reap(pid_t pid) {
    double until = tsl_clock_now() + DYING_SECONDS;
    struct timespec moment = {.tv_nsec = 1000000};
    for (;;) {
        bool hurry = tsl_deadline_passed();
        pid_t got = waitpid(pid, NULL, hurry ? WNOHANG : 0);
        if (got == pid || (got < 0 && errno != EINTR) || (hurry && tsl_clock_now() > until))
            return;
        if (hurry)
            nanosleep(&moment, NULL);
    }
}

void tsl_exec_kill(tsl_exec *x) {
    if (x->pid <= 0)
        return;
    // The session is a process group of its own; children die with their parent, too.
    tsl_orphans_kill(x->pid);
    kill(-x->pid, SIGKILL);
    reap(x->pid);
    tsl_orphans_remove(x->pid);
    tsl_orphans_end();
    x->pid = 0;
}

bool tsl_exec_is_dead(tsl_exec *x, int *status) {
    if (x->pid <= 0)
        return true;
    if (waitpid(x->pid, status, WNOHANG) != x->pid)
        return false;
    tsl_orphans_remove(x->pid);
    tsl_orphans_end();
    x->pid = 0;
    return true;
}

// ---------------------------------------------------------------- its start

static bool explain_start(tsl_exec *x, int status, tsl_err *err) {
    char said[600] = "";
    ssize_t n = pread(x->output_fd, said, sizeof said - 1, 0);
    said[n > 0 ? n : 0] = 0;
    char *end = strchr(said, '\n');
    if (end)
        *end = 0;
    if (WIFSIGNALED(status))
        return tsl_fail(err, TSL_EPROGRAM, "%s died before main with signal %d (%s)%s%s",
                        x->options.program, WTERMSIG(status), strsignal(WTERMSIG(status)),
                        *said ? ": " : "", said);
    return tsl_fail(err, TSL_EPROGRAM, "%s ended before main with status %d%s%s",
                    x->options.program, WEXITSTATUS(status), *said ? ": " : "", said);
}

bool tsl_exec_refused(const tsl_exec *x, tsl_err *err) {
    char why[TSL_MESSAGE];
    memcpy(why, x->file.wire->error, sizeof why);
    why[sizeof why - 1] = 0;
    return tsl_fail(err, TSL_EPROGRAM, "%s: %s", x->options.program, why);
}

static bool await_ready(tsl_exec *x, tsl_err *err) {
    tsl_wire *wire = x->file.wire;
    double until = tsl_clock_now() + START_SECONDS;
    for (;;) {
        uint32_t ready = __atomic_load_n(&wire->ready, __ATOMIC_ACQUIRE);
        int status = 0;
        if (ready == 1)
            break;
        if (ready == 2)
            return tsl_exec_refused(x, err);
        if (tsl_exec_is_dead(x, &status))
            return explain_start(x, status, err);
        if (tsl_deadline_interrupted())
            return tsl_fail(err, TSL_ESTOPPED,
                            "stopped by a signal before %s reached main: nothing was tested",
                            x->options.program);
        if (tsl_deadline_passed())
            return tsl_fail(err, TSL_EPROGRAM, "%s did not reach main before the time was up",
                            x->options.program);
        if (tsl_clock_now() > until)
            return tsl_fail(err, TSL_EPROGRAM, "%s did not reach main within %.0f seconds",
                            x->options.program, START_SECONDS);
        tsl_exec_futex_wait(&wire->ready, 0, 0.02);
    }
    x->census = wire->census;
    tsl_exec_check_cover(x);
    x->nsites = wire->nsites;
    x->nstrings = wire->nstrings;
    if (x->nsites * (uint64_t)sizeof(tsl_site) + x->nstrings > x->file.layout->sites_size)
        x->nsites = x->nstrings = 0;
    return true;
}

static void tell_outside(tsl_wire *wire, const tsl_outsides *o) {
    if (!o)
        return;
    TSL_BUG_ON(o->inputs.len > TSL_MAX_OUTSIDE || o->first.len > TSL_MAX_INPUT, "%zu inputs",
               o->inputs.len);
    wire->noutside = (uint32_t)o->inputs.len;
    if (o->inputs.len)
        memcpy(wire->outside, o->inputs.data, o->inputs.len * sizeof *wire->outside);
    wire->nfirst = (uint32_t)o->first.len;
    if (o->first.len)
        memcpy(wire->first, o->first.data, o->first.len);
}

bool tsl_exec_start(tsl_exec *x, uint32_t seq, tsl_err *err) {
    x->weakened |= x->file.wire->census.weakened; // reasons of earlier processes stay valid
    tsl_wire_file_reset(&x->file, seq, x->mode);
    tell_outside(x->file.wire, x->options.outside);
    if (ftruncate(x->output_fd, 0) != 0 || lseek(x->output_fd, 0, SEEK_SET) < 0)
        return tsl_fail(err, TSL_EIO, "can't reset captured output: %s", strerror(errno));
    tsl_spawn spawn = {.argv = x->argv.data,
                       .wire_fd = x->file.fd,
                       .output_fd = x->output_fd,
                       .stdin_fd = x->stdin_fd};
    tsl_orphans_adopt();
    x->pid = tsl_spawn_start(&spawn, err);
    if (x->pid > 0)
        tsl_orphans_add(x->pid);
    return x->pid > 0 && await_ready(x, err);
}

void tsl_exec_make_argv(tsl_exec *x) {
    char *via = tsl_strdup(x->options.via ? x->options.via : "");
    for (char *word = strtok(via, " "); word; word = strtok(NULL, " "))
        tsl_vec_push(&x->argv, tsl_strdup(word));
    tsl_free(via);
    bool bare = !strchr(x->options.program, '/'); // a file here, not a command in PATH
    tsl_vec_push(&x->argv,
                 bare ? tsl_asprintf("./%s", x->options.program) : tsl_strdup(x->options.program));
    for (const char *const *arg = x->options.args; arg && *arg; arg++)
        tsl_vec_push(&x->argv, tsl_strdup(*arg));
    tsl_vec_push(&x->argv, NULL);
}

// A file can be read again for every run; anything else is copied once.
int tsl_exec_open_stdin(const char *path, tsl_err *err) {
    const char *name = path ? path : "/dev/null";
    int from = open(name, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return tsl_fail(err, TSL_EIO, "can't open %s: %s", name, strerror(errno)), -1;
    struct stat st;
    if (fstat(from, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(from);
        return tsl_fail(err, TSL_EIO, "can't read %s: it is a directory", name), -1;
    }
    if (!path || lseek(from, 0, SEEK_CUR) >= 0)
        return from;
    int copy = memfd_create("teasel-stdin", MFD_CLOEXEC);
    char bytes[65536];
    for (ssize_t n; (n = read(from, bytes, sizeof bytes)) > 0;)
        if (write(copy, bytes, (size_t)n) != n) {
            close(from);
            close(copy);
            return tsl_fail(err, TSL_EIO, "can't keep a copy of %s", path), -1;
        }
    close(from);
    lseek(copy, 0, SEEK_SET);
    return copy;
}
