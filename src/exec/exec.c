// See exec.h.  The tool trusts nothing in shared memory: it keeps its own counters, copies the head
// of a Trace before it reads it, and checks every count.
#include "exec/exec.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "exec/inner.h"

enum { SPINS = 2000 }; // as in rt/serve.c
#define FORGET_NAP 0.002

// ---------------------------------------------------------------- beginning and end

tsl_exec *tsl_exec_new(const tsl_exec_options *options, tsl_err *err) {
    tsl_exec *x = tsl_alloc(sizeof *x);
    x->options = *options;
    x->mode = options->mode;
    x->run_seconds = options->run_seconds;
    cpu_set_t cpus;
    int most =
        options->workers ? (int)options->workers : 1; // spinning takes a processor from workers
    bool few = sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) <= most;
    x->spins = few ? 0 : SPINS;
    x->head = tsl_alloc(sizeof *x->head);
    x->output_fd = x->stdin_fd = -1;
    tsl_exec_make_argv(x);
    if (tsl_wire_file_open(&x->file, options->max_steps, err) &&
        (x->stdin_fd = tsl_exec_open_stdin(options->stdin_path, err)) >= 0) {
        x->output_fd = memfd_create("teasel-output", MFD_CLOEXEC);
        if (x->output_fd < 0)
            tsl_fail(err, TSL_EIO, "can't make memory for output: %s", strerror(errno));
        else if (tsl_exec_start(x, 0, err))
            return x;
    }
    tsl_exec_free(x);
    return NULL;
}

void tsl_exec_free(tsl_exec *x) {
    if (!x)
        return;
    tsl_exec_kill(x);
    tsl_wire_file_close(&x->file);
    if (x->output_fd >= 0)
        close(x->output_fd);
    if (x->stdin_fd >= 0)
        close(x->stdin_fd);
    tsl_texts_drop(&x->argv);
    tsl_free(x->head);
    tsl_free(x->before_main);
    tsl_free(x);
}

// ---------------------------------------------------------------- Plans in

unsigned tsl_exec_in_flight(const tsl_exec *x) { return x->submitted - x->collected; }

unsigned tsl_exec_room(const tsl_exec *x) {
    // One slot is not free: it holds the Trace handed out last.
    return x->file.layout->nslots - 1 - tsl_exec_in_flight(x);
}

// Wakes the server once per sleep: it takes a while to notice, and need not be woken again.
static void wake_runner(tsl_exec *x) {
    uint32_t *sleeper = &x->file.wire->plan_sleeper, waits = tsl_sleeper(x->submitted - 1);
    if (__atomic_load_n(sleeper, __ATOMIC_SEQ_CST) == waits &&
        __atomic_compare_exchange_n(sleeper, &waits, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        tsl_exec_futex_wake(&x->file.wire->plans);
}

// Starts the program again if it was given up at a deadline, and there is time again.
static bool come_back(tsl_exec *x, tsl_err *err) {
    if (tsl_exec_in_flight(x) || tsl_deadline_passed())
        return true;
    x->given_up = false;
    x->restarts++;
    if (tsl_exec_start(x, x->submitted, err))
        return true;
    tsl_exec_kill(x);
    x->given_up = tsl_deadline_passed();
    return x->given_up;
}

bool tsl_exec_submit(tsl_exec *x, const tsl_plan *plan, tsl_err *err) {
    if (x->given_up && !come_back(x, err))
        return false;
    TSL_BUG_ON(tsl_exec_room(x) == 0, "submitted %u collected %u", x->submitted, x->collected);
    if (!tsl_exec_write_plan(x, plan, err))
        return false;
    x->submitted++;
    __atomic_store_n(&x->file.wire->plans, x->submitted, __ATOMIC_SEQ_CST);
    wake_runner(x);
    return true;
}

// ---------------------------------------------------------------- Traces out

bool tsl_exec_collect(tsl_exec *x, tsl_trace *trace, tsl_err *err) {
    TSL_BUG_ON(tsl_exec_in_flight(x) == 0, "nothing in flight");
    tsl_exec_shrink_slot(x);
    if (!tsl_exec_await(x, err)) { // no Trace in flight will come
        tsl_exec_kill(x);
        x->collected = x->submitted;
        return false;
    }
    const tsl_trace_head *shared = tsl_wire_file_trace(&x->file, x->collected);
    tsl_exec_fetch(shared, x->head->nevents);
    x->collected++;
    __atomic_store_n(&x->file.wire->collected, x->collected, __ATOMIC_RELAXED);
    tsl_exec_fetch_ahead(x);
    *trace = (tsl_trace){.head = x->head,
                         .events = (const tsl_event *)(shared + 1),
                         .nevents = x->head->nevents,
                         .nodes = tsl_wire_file_nodes(&x->file, x->collected - 1),
                         .nnodes = x->head->nnodes};
    return true;
}

static bool collect_until(tsl_exec *x, double until, tsl_err *err) {
    tsl_trace trace;
    while (tsl_exec_in_flight(x)) {
        while (tsl_exec_arrival(x) == TSL_NOT_YET) {
            if (tsl_clock_now() > until)
                return true;
            tsl_exec_futex_wait(&x->file.wire->traces, x->collected, FORGET_NAP);
        }
        if (!tsl_exec_collect(x, &trace, err))
            return false;
    }
    return true;
}

bool tsl_exec_forget(tsl_exec *x, double until, tsl_err *err) {
    if (!x->given_up && !collect_until(x, until, err))
        return false;
    if (!tsl_exec_in_flight(x))
        return true;
    tsl_exec_shrink_slot(x);
    x->head->nevents = x->head->nnodes = 0;
    tsl_exec_kill(x);
    x->collected = x->submitted;
    x->given_up = true; // until the next Plan is submitted
    return true;
}

// ---------------------------------------------------------------- the rest

void tsl_exec_set_mode(tsl_exec *x, enum tsl_mode mode) {
    TSL_BUG_ON(tsl_exec_in_flight(x) != 0, "in flight: %u", tsl_exec_in_flight(x));
    x->mode = mode;
    __atomic_store_n(&x->file.wire->mode, (uint32_t)mode, __ATOMIC_SEQ_CST);
}

enum tsl_mode tsl_exec_mode(const tsl_exec *x) { return x->mode; }

void tsl_exec_set_run_seconds(tsl_exec *x, double seconds) { x->run_seconds = seconds; }

uint64_t tsl_exec_restarts(const tsl_exec *x) { return x->restarts; }
