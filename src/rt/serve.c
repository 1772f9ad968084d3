// The server: forks a child that runs Plans, and another one when that dies.
//
// The process that the tool started never runs the program itself.  It stays before main and forks
// either a child that runs Plan after Plan in place, or one child per Plan.  If a child dies
// without writing a Trace, its parent writes one.
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cover.h"
#include "crash.h"
#include "print.h"
#include "proc.h"
#include "serve.h"
#include "start.h"
#include "state.h"
#include "sys.h"

// To sleep and be woken takes longer than several runs.  So the runtime spins for a while before it
// sleeps, if the tool has a processor of its own.
enum { SPINS = 2000, MOST_ORPHANS = 1000 };

static tsl_plan_head *plan_of(uint32_t seq) {
    const tsl_wire *wire = tslrt->wire;
    return (tsl_plan_head *)((char *)wire + wire->slots_offset +
                             (seq % wire->nslots) * wire->slot_size);
}

static tsl_trace_head *trace_of(uint32_t seq) {
    return (tsl_trace_head *)((char *)plan_of(seq) + tslrt->wire->plan_size);
}

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

static bool has_plan(uint32_t seq) {
    return __atomic_load_n(&tslrt->wire->plans, __ATOMIC_ACQUIRE) != seq;
}

static bool must_quit(void) { return __atomic_load_n(&tslrt->wire->quit, __ATOMIC_RELAXED) != 0; }

static bool wait_for_plan(uint32_t seq, int spins) {
    for (int i = 0; i < spins; i++) {
        if (has_plan(seq))
            return true;
        relax();
    }
    while (!has_plan(seq)) {
        if (must_quit())
            return false;
        __atomic_store_n(&tslrt->wire->plan_sleeper, tsl_sleeper(seq), __ATOMIC_SEQ_CST);
        if (!has_plan(seq))
            tslrt_sys4(SYS_futex, &tslrt->wire->plans, FUTEX_WAIT, seq, NULL);
        __atomic_store_n(&tslrt->wire->plan_sleeper, 0, __ATOMIC_RELAXED);
    }
    return !must_quit();
}

// To wake the tool takes as long as several runs.  So while there are Plans left, the tool may
// sleep until half of the ring is full of Traces.
static bool worth_waking(const tsl_wire *wire, uint32_t traces) {
    uint32_t plans = __atomic_load_n(&wire->plans, __ATOMIC_RELAXED);
    uint32_t collected = __atomic_load_n(&wire->collected, __ATOMIC_RELAXED);
    return traces == plans || traces - collected >= wire->nslots / 2;
}

void tslrt_publish(void) {
    tsl_wire *wire = tslrt->wire;
    trace_of(tslrt->server.seq)->nreached = tslrt_cover_log();
    __atomic_store_n(&wire->traces, tslrt->server.seq + 1, __ATOMIC_SEQ_CST);
    uint32_t sleeper = __atomic_load_n(&wire->trace_sleeper, __ATOMIC_SEQ_CST);
    if (sleeper && worth_waking(wire, tslrt->server.seq + 1) &&
        __atomic_compare_exchange_n(&wire->trace_sleeper, &sleeper, 0, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
        tslrt_sys3(SYS_futex, &wire->traces, FUTEX_WAKE, 1);
}

static void run_one(void) {
    const tsl_plan_head *plan = plan_of(tslrt->server.seq);
    tsl_trace_head *trace = trace_of(tslrt->server.seq);
    tslrt_run_plan(plan, (const tsl_item *)(plan + 1), trace, (tsl_event *)(trace + 1),
                   tslrt->wire->max_events);
    tslrt_publish();
}

static bool has_two_processors(void) {
    uint64_t set[128] = {0}; // of 8192
    int count = 0;
    if (tslrt_sys3(SYS_sched_getaffinity, 0, sizeof set, set) <= 0)
        return true;
    for (unsigned i = 0; i < 128; i++)
        count += __builtin_popcountll(set[i]);
    return count > 1;
}

static noreturn void child(void) {
    tslrt_sys5(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    tslrt->server.in_place = tslrt->wire->mode == TSL_MODE_INPLACE;
    tslrt_signal_default(SIGUSR1);
    tslrt_signal_default(SIGUSR2);
    RUN->end.begun = true; // no run is under way that a signal could end
    if (!tslrt->server.in_place) {
        run_one();
        tslrt_exit_now(0);
    }
    tslrt_snapshot();
    int spins = has_two_processors() ? SPINS : 0;
    while (wait_for_plan(tslrt->server.seq, spins)) {
        if (__atomic_load_n(&tslrt->wire->mode, __ATOMIC_RELAXED) != TSL_MODE_INPLACE)
            break;
        run_one();
        tslrt_run_reset();
        tslrt->server.seq++;
    }
    tslrt_exit_now(0);
}

// ---------------------------------------------------------------- parent

static volatile int child_pid;

static void forward(int sig) {
    int pid = child_pid;
    if (pid > 0)
        tslrt_sys2(SYS_kill, pid, sig == SIGUSR1 ? SIGXCPU : SIGKILL);
}

static void tell_death(int status) {
    tsl_trace_head *trace = trace_of(tslrt->server.seq);
    uint64_t seq = plan_of(tslrt->server.seq)->seq;
    bool own = trace->seq == seq && (trace->flags & TSL_TRACE_KILLS);
    tslrt_trace_clear(trace);
    trace->seq = seq;
    trace->flags = own ? TSL_TRACE_KILLS : 0;
    trace->wait_status = (uint32_t)status;
    trace->outcome = TSL_OUT_KILLED;
    if (WIFSIGNALED(status)) {
        trace->signal = WTERMSIG(status);
        tslrt_format(trace->message, sizeof trace->message, "killed by signal %d",
                     WTERMSIG(status));
    } else
        tslrt_format(trace->message, sizeof trace->message,
                     "left without passing through exit, with status %d", WEXITSTATUS(status));
    tslrt_publish();
}

// The number of the Plan at which the child stopped.  It may have scribbled over the counter.
static uint32_t reached(uint32_t from) {
    uint32_t traces = __atomic_load_n(&tslrt->wire->traces, __ATOMIC_ACQUIRE);
    uint32_t plans = __atomic_load_n(&tslrt->wire->plans, __ATOMIC_ACQUIRE);
    return traces - from <= plans - from ? traces : from;
}

// A child that has stopped itself is killed: nobody would ever continue it.
static void end_stopped(int pid, int sig, uint32_t started_at) {
    tslrt->server.seq = reached(started_at);
    tslrt_sys2(SYS_kill, pid, SIGKILL);
    while (tslrt_sys4(SYS_wait4, pid, NULL, 0, NULL) == -EINTR)
        ;
    if (!has_plan(tslrt->server.seq))
        return;
    tsl_trace_head *trace = trace_of(tslrt->server.seq);
    tslrt_trace_clear(trace);
    trace->seq = plan_of(tslrt->server.seq)->seq;
    trace->outcome = TSL_OUT_TIME_LIMIT;
    trace->signal = sig;
    tslrt_format(trace->message, sizeof trace->message,
                 "the program was stopped (signal %d), and nobody continues it", sig);
    tslrt_publish();
    tslrt->server.seq++;
}

// Has the child's runtime said why it could not go on (tslrt_die)?
static bool runtime_gave_up(int status) {
    return __atomic_exchange_n(&tslrt->wire->ready, 1, __ATOMIC_ACQ_REL) == 2 &&
           WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

// The program is not to blame, and another child would fare no better.
static noreturn void give_up(void) {
    __atomic_store_n(&tslrt->wire->ready, 2, __ATOMIC_RELEASE);
    tslrt_exit_now(2);
}

// If a child dies after it has run some Plans, the Plan at which it died is tried again by another
// child.  Only a Plan that kills a fresh child is blamed.
static void handle_death(int status, uint32_t started_at) {
    bool gave_up = runtime_gave_up(status);
    tslrt->server.seq = reached(started_at);
    bool asked_to = WIFEXITED(status) && WEXITSTATUS(status) == 0 && tslrt->server.in_place &&
                    (tslrt->wire->mode != TSL_MODE_INPLACE || must_quit());
    if (tslrt->server.seq == started_at && !asked_to && has_plan(tslrt->server.seq)) {
        if (gave_up)
            give_up();
        tell_death(status);
        tslrt->server.seq++;
    }
}

// If there are too many processes, that may pass in a moment.
static int fork_child(void) {
    long pid = 0;
    for (int tries = 0; tries < 20; tries++) {
        pid = tslrt_sys5(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (pid != -EAGAIN && pid != -ENOMEM)
            break;
        struct timespec moment = {0, 20000000};
        tslrt_sys2(SYS_nanosleep, &moment, NULL);
    }
    if (pid < 0)
        tslrt_die(pid == -ENOMEM ? "there is no memory for another process: free some"
                                 : "no process can be made for the next run (error %d): there are "
                                   "too many; raise `ulimit -u`",
                  (int)-pid);
    return (int)pid;
}

static void kill_children(void) {
    unsigned pids[256], n = tslrt_children((unsigned)tslrt_sys0(SYS_getpid), pids, 256);
    for (unsigned i = 0; i < n; i++)
        tslrt_sys2(SYS_kill, pids[i], SIGKILL);
}

// Processes that a run leaves behind become children of this process, and are killed with the run.
static void end_orphans(void) {
    for (unsigned tries = 0; tries < MOST_ORPHANS; tries++) {
        long got = tslrt_sys4(SYS_wait4, -1, NULL, WNOHANG, NULL);
        if (got == -ECHILD)
            return;
        if (got != 0)
            continue;
        kill_children();
        struct timespec moment = {0, 1000000};
        tslrt_sys2(SYS_nanosleep, &moment, NULL);
    }
}

// Has a constructor started a process?  It serves all runs, so it is not killed.
static bool has_helper(void) {
    if (tslrt_sys4(SYS_wait4, -1, NULL, WNOHANG, NULL) == -ECHILD)
        return false;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "a process was started before main, which nobody controls");
    return true;
}

void tslrt_serve(void) {
    tsl_wire *wire = tslrt->wire;
    bool helper = has_helper();
    tslrt_sys5(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    tslrt_signal_own(SIGUSR1, forward);
    tslrt_signal_own(SIGUSR2, forward);
    __atomic_store_n(&wire->ready, 1, __ATOMIC_RELEASE);
    tslrt_sys3(SYS_futex, &wire->ready, FUTEX_WAKE, 1);
    tslrt->server.seq = __atomic_load_n(&wire->traces, __ATOMIC_ACQUIRE);
    bool may_have_printed = true;
    while (wait_for_plan(tslrt->server.seq, 0)) {
        uint32_t started_at = tslrt->server.seq;
        tslrt->server.in_place = wire->mode == TSL_MODE_INPLACE;
        if (may_have_printed) // before the fork: the descriptors are shared
            tslrt_output_reset();
        int pid = fork_child();
        if (pid == 0)
            child();
        child_pid = pid;
        int status = 0;
        while (tslrt_sys4(SYS_wait4, pid, &status, WUNTRACED, NULL) == -EINTR)
            ;
        child_pid = 0;
        if (WIFSTOPPED(status))
            end_stopped(pid, WSTOPSIG(status), started_at);
        else
            handle_death(status, started_at);
        if (!helper)
            end_orphans();
        may_have_printed = tslrt->server.in_place || status != 0 ||
                           (trace_of(started_at)->flags & TSL_TRACE_OPAQUE);
    }
    tslrt_exit_now(0);
}
