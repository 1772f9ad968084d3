// Waits for a Trace.  The process may hang, die, be killed from outside or scribble over the shared
// memory: its Plan still gets a Trace, if necessary one that is made up here.
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "exec/inner.h"

enum { MOST_OUTSIDE_KILLS = 3 };
#define LAST_SECONDS 0.1 // time for the run to react after the deadline

static const char too_slow[] = "the run did not react when its time was up";

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void make_trace(tsl_exec *x, unsigned outcome, int status, const char *message) {
    memset(x->head, 0, offsetof(tsl_trace_head, message));
    x->head->seq = x->collected;
    x->head->outcome = outcome;
    x->head->wait_status = (uint32_t)status;
    x->head->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    strncpy(x->head->message, message, sizeof x->head->message - 1);
}

// Ends the process, because the deadline has passed: no Trace will come.
static bool give_up(tsl_exec *x) {
    tsl_exec_kill(x);
    x->given_up = true;
    make_trace(x, TSL_OUT_TIME_LIMIT, 0, "the run was still going when the time was up");
    return true;
}

// Starts another process for the Plans from number `seq` on.
static bool restart(tsl_exec *x, uint32_t seq, tsl_err *err) {
    x->restarts++;
    if (!tsl_exec_start(x, seq, err))
        return false;
    __atomic_store_n(&x->file.wire->plans, x->submitted, __ATOMIC_SEQ_CST);
    tsl_exec_futex_wake(&x->file.wire->plans);
    return true;
}

// Makes up a Trace, because the process is lost, and starts another process for the other Plans.
static bool start_again(tsl_exec *x, unsigned outcome, int status, const char *message,
                        tsl_err *err) {
    tsl_exec_kill(x);
    make_trace(x, outcome, status, message);
    if (restart(x, x->collected + 1, err))
        return true;
    tsl_exec_kill(x);
    x->given_up = tsl_deadline_passed();
    return x->given_up;
}

// A wait gets insistent in steps: ask the run to stop, kill it, kill all (soon after the deadline).
typedef struct insistence {
    double begun, late; // when the wait began; when the deadline was seen to have passed, or 0
    int asked;
} insistence;

static bool is_enough(tsl_exec *x, insistence *in) {
    double now = tsl_clock_now(), over = now - in->begun - x->run_seconds;
    if (tsl_deadline_passed() && in->late == 0)
        in->late = now;
    if ((over > 0 || in->late > 0) && in->asked == 0)
        kill(x->pid, SIGUSR1), in->asked = 1;
    if (over > 1 && in->asked == 1)
        kill(x->pid, SIGUSR2), in->asked = 2;
    return (over > 3 && in->asked == 2) || (in->late > 0 && now - in->late > LAST_SECONDS);
}

// How long to sleep: not beyond the deadline, and not much longer than the limit of one run.
static double nap(const tsl_exec *x) {
    double left = tsl_deadline_left(), most = x->run_seconds < 0.05 ? x->run_seconds : 0.05;
    return left < 0.01 ? 0.01 : left < most ? left : most;
}

// A Trace with another number than its Plan was not written for that Plan.  The program is started
// again for the Plan, so nothing is lost.
static bool run_again(tsl_exec *x, tsl_err *err) {
    tsl_exec_kill(x);
    return restart(x, x->collected, err);
}

// Another process killed the program.  The Plan is run again, a limited number of times.
static bool killed_from_outside(tsl_exec *x, tsl_err *err) {
    x->outside_kills = x->outside_at == x->collected ? x->outside_kills + 1 : 1;
    x->outside_at = x->collected;
    if (x->outside_kills <= MOST_OUTSIDE_KILLS)
        return run_again(x, err);
    return tsl_fail(err, TSL_EPROGRAM,
                    "%s was killed from outside %u times in one run (SIGKILL), most likely by the "
                    "system because memory ran out: free memory, or use fewer workers (-j)",
                    x->options.program, x->outside_kills);
}

// The process that starts runs (the server) is gone.
static bool server_is_gone(tsl_exec *x, int status, bool *made, tsl_err *err) {
    if (__atomic_load_n(&x->file.wire->ready, __ATOMIC_ACQUIRE) == 2)
        return tsl_exec_refused(x, err);
    bool own = tsl_wire_file_trace(&x->file, x->collected)->flags & TSL_TRACE_KILLS;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !own) {
        *made = false;
        return killed_from_outside(x, err);
    }
    return start_again(x, TSL_OUT_KILLED, status,
                       "the program killed the process that starts its runs", err);
}

static bool await_trace(tsl_exec *x, bool *made, tsl_err *err) {
    insistence in = {.begun = tsl_clock_now()};
    uint32_t *word = &x->file.wire->traces;
    for (;;) {
        enum tsl_arrival a = tsl_exec_arrival(x);
        int status = 0;
        if (a == TSL_ARRIVED) {
            x->asked = in.asked;
            return true;
        }
        *made = true;
        if (x->given_up)
            return give_up(x);
        if (a == TSL_SPOILED)
            return start_again(x, TSL_OUT_KILLED, 0,
                               "the program overwrote the memory it shares "
                               "with the tool",
                               err);
        if (tsl_exec_is_dead(x, &status)) {
            if (!server_is_gone(x, status, made, err))
                return false;
            if (*made)
                return true;
            in = (insistence){.begun = tsl_clock_now()};
            continue;
        }
        if (is_enough(x, &in))
            return in.late > 0 ? give_up(x) : start_again(x, TSL_OUT_TIME_LIMIT, 0, too_slow, err);
        *made = false;
        __atomic_store_n(&x->file.wire->trace_sleeper, tsl_sleeper(x->collected), __ATOMIC_SEQ_CST);
        if (tsl_exec_arrival(x) == TSL_NOT_YET)
            tsl_exec_futex_wait(word, x->collected, nap(x));
        __atomic_store_n(&x->file.wire->trace_sleeper, 0, __ATOMIC_RELAXED);
    }
}

// A run that the tool killed because it did not stop is a timeout.  So is a run that was asked to
// stop before it had begun: it has no handler for SIGXCPU yet, and dies.
static void blame_the_clock(tsl_exec *x) {
    bool by_us = x->asked >= 2 || (x->asked && x->head->signal == SIGXCPU);
    if (!by_us || x->head->outcome != TSL_OUT_KILLED)
        return;
    x->head->outcome = TSL_OUT_TIME_LIMIT;
    x->head->signal = 0;
    strncpy(x->head->message, too_slow, sizeof x->head->message - 1);
}

bool tsl_exec_await(tsl_exec *x, tsl_err *err) {
    for (int tries = 0;; tries++) {
        bool made = false;
        x->asked = 0;
        for (int i = 0; i < x->spins && tsl_exec_arrival(x) == TSL_NOT_YET; i++)
            relax();
        if (tsl_exec_arrival(x) != TSL_ARRIVED && !await_trace(x, &made, err))
            return false;
        if (made)
            return true;
        tsl_exec_copy_head(x);
        if (x->head->seq == x->collected) {
            blame_the_clock(x);
            if (x->head->outcome != TSL_OUT_KILLED || x->head->signal != SIGKILL ||
                (x->head->flags & TSL_TRACE_KILLS))
                return true;
            if (!killed_from_outside(x, err))
                return false;
            tries = -1;
            continue;
        }
        if (tries == 3)
            return tsl_fail(err, TSL_EPROGRAM, "%s keeps answering for another run; use --fork",
                            x->options.program);
        if (!run_again(x, err))
            return tsl_deadline_passed() && give_up(x);
    }
}
