// Which process gets a signal that the program sends?
//
// Under the tool, the process ids of the program, its parent and its group are made up (world.c).
// They must never reach the kernel, where they may belong to others.  Ids of its children are real.
//
//     the program itself   one of its threads gets it, or none if all block it (sync/signals.c)
//     its group            its children, then the program itself
//     all processes (-1)   its children: no other process on this machine is part of the test
//     its parent           none: that is the tool
//
// In a child of the program, the made-up id of the tested process stands for the real one.
#include <signal.h>

#include "../crash.h"
#include "../proc.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"

static int to_kernel(pid_t pid, int sig) {
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    return (int)tslrt_returned(tslrt_sys2(SYS_kill, pid, sig));
}

static int to_itself(int sig) {
    if (sig == 0)
        return 0;
    return sig == SIGKILL || sig == SIGSTOP ? tslrt_raise(sig) : tslrt_signal_process(sig);
}

static int to_children(int sig) {
    unsigned pids[TSLRT_MAX_CHILDREN];
    unsigned n = tslrt_children((unsigned)tslrt_sys0(SYS_getpid), pids, TSLRT_MAX_CHILDREN);
    int got = tslrt_fail(ESRCH);
    for (unsigned i = 0; i < n && i < TSLRT_MAX_CHILDREN; i++)
        if (to_kernel((pid_t)pids[i], sig) == 0)
            got = 0;
    return got;
}

static int to_parent(int sig) {
    if (sig)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "a signal to the parent is not sent: that is no part of the test");
    return 0;
}

// A child sends a signal.  SIGKILL is noted in the Trace of the tested process, which can't do so.
static int from_child(pid_t pid, int sig) {
    if (pid == tslrt->process.pid - 1 || pid == 1 - tslrt->process.pid)
        return 0;
    if (pid == tslrt->process.pid || pid == -1)
        pid = tslrt->process.tested_pid;
    if (pid == -tslrt->process.pid)
        pid = 0;
    if (sig == SIGKILL && tslrt->process.tested_trace &&
        (pid <= 0 || pid == tslrt->process.tested_pid))
        tslrt->process.tested_trace->flags |= TSL_TRACE_KILLS;
    return to_kernel(pid, sig);
}

static int send(pid_t pid, int sig) {
    tslrt_init();
    if (sig < 0 || sig > 64)
        return tslrt_fail(EINVAL);
    if (tslrt->kind == RT_CHILD && pid != getpid())
        return from_child(pid, sig);
    if (pid == getpid())
        return to_itself(sig);
    if (!tslrt_watched())
        return to_kernel(pid, sig);
    if (pid == tslrt->process.pid - 1 || pid == 1 - tslrt->process.pid)
        return to_parent(sig);
    if (pid == -1)
        return to_children(sig);
    if (pid != 0 && pid != -tslrt->process.pid)
        return to_kernel(pid, sig);
    to_children(sig);
    return to_itself(sig);
}

API int kill(pid_t pid, int sig) {
    if (tslrt_mapped)
        tslrt_sent_by(SI_USER, NULL);
    return send(pid, sig);
}

API int killpg(pid_t group, int sig) { return group < 0 ? tslrt_fail(EINVAL) : kill(-group, sig); }

API int sigqueue(pid_t pid, int sig, union sigval value) {
    tslrt_sent_by(SI_QUEUE, value.sival_ptr);
    return send(pid, sig);
}

API int pthread_sigqueue(pthread_t thread, int sig, union sigval value) {
    tslrt_sent_by(SI_QUEUE, value.sival_ptr);
    return tslrt_kill(thread, sig);
}

API int tgkill(pid_t pid, pid_t tid, int sig) {
    if (!tslrt_watched() || !SELF) {
        tslrt_sends(sig);
        return (int)tslrt_returned(tslrt_sys3(SYS_tgkill, pid, tid, sig));
    }
    unsigned id = (unsigned)(tid - tslrt->process.pid);
    if (pid <= 0 || tid <= 0)
        return tslrt_fail(EINVAL);
    if (pid != tslrt->process.pid || id >= TSL_MAX_THREADS ||
        tslrt_fiber_at(id)->state != FIBER_LIVE)
        return tslrt_fail(ESRCH);
    int error = pthread_kill((pthread_t)tslrt_fiber_at(id), sig);
    return error ? tslrt_fail(error) : 0;
}
