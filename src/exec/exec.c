// See exec.h.  The tool trusts nothing in shared memory: it keeps its own counters,
// copies the head of a Trace before it looks at it, and checks every count.
#include "exec/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "exec/orphans.h"
#include "exec/spawn.h"
#include "exec/wire_file.h"

enum { SPINS = 2000, KEEP_EVENTS = 65536, KEEP_NODES = 8192 }; // as in rt/serve.c
enum { MOST_OUTSIDE_KILLS = 3 };
#define START_SECONDS 30.0
#define LAST_SECONDS 0.1  // to react when the deadline has passed
#define DYING_SECONDS 0.1 // to die then

struct tsl_exec {
    tsl_wire_file file;
    tsl_exec_options options;
    TSL_VEC(char *) argv;
    char *via;
    int output_fd, stdin_fd;
    pid_t pid;
    uint32_t submitted, collected; // Plans handed in, Traces handed out
    uint64_t restarts;
    uint32_t outside_at, outside_kills; // which Plan was killed from outside last, and how often
    double run_seconds;                 // of one run
    int asked;     // how the run collected last was asked to stop: not, to stop, killed
    bool given_up; // the deadline passed: there is no process, Plans in flight are cut
    int spins;     // before it sleeps
    enum tsl_mode mode;
    tsl_trace_head *head; // private copy of the head last collected
    tsl_census census;    // private copy
    uint64_t weakened;    // reasons that earlier processes gave
    uint32_t nsites, nstrings;
    uint32_t ncover_funcs, ncover_places, npoints;
    uint8_t *before_main; // of the coverage map
};

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void futex_wait(uint32_t *word, uint32_t value, double seconds) {
    struct timespec ts = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &ts, NULL, 0);
}

static void futex_wake(uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

// ---------------------------------------------------------------- the process

// Giving back much memory takes a while.  Behind the deadline nobody waits for that.
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

static void kill_process(tsl_exec *x) {
    if (x->pid <= 0)
        return;
    // Its session is a process group of its own; children die with their parent too.
    kill(-x->pid, SIGKILL);
    kill(x->pid, SIGKILL);
    reap(x->pid);
    tsl_orphans_remove(x->pid);
    tsl_orphans_end();
    x->pid = 0;
}

static bool is_dead(tsl_exec *x, int *status) {
    if (x->pid <= 0)
        return true;
    if (waitpid(x->pid, status, WNOHANG) != x->pid)
        return false;
    tsl_orphans_remove(x->pid);
    tsl_orphans_end();
    x->pid = 0;
    return true;
}

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

static uint8_t *cover_map(const tsl_exec *x) {
    return (uint8_t *)x->file.wire + x->file.cover_map_offset;
}

// Of the first process; those that follow have the same points.
static void check_cover(tsl_exec *x) {
    const tsl_wire *wire = x->file.wire;
    if (x->before_main)
        return;
    x->ncover_funcs = wire->ncover_funcs;
    x->ncover_places = wire->ncover_places;
    x->npoints = wire->npoints;
    if (x->ncover_funcs > TSL_WIRE_COVER_FUNCS / sizeof(tsl_cover_func) ||
        x->ncover_places > TSL_WIRE_COVER_PLACES / sizeof(tsl_cover_place) ||
        x->npoints > TSL_COVER_SIZE)
        x->ncover_funcs = x->ncover_places = x->npoints = 0;
    x->before_main = tsl_alloc(x->npoints + 1);
    memcpy(x->before_main, cover_map(x), x->npoints);
}

static bool await_ready(tsl_exec *x, tsl_err *err) {
    tsl_wire *wire = x->file.wire;
    double until = tsl_clock_now() + START_SECONDS;
    for (;;) {
        uint32_t ready = __atomic_load_n(&wire->ready, __ATOMIC_ACQUIRE);
        int status = 0;
        if (ready == 1)
            break;
        if (ready == 2) {
            char why[TSL_MESSAGE];
            memcpy(why, wire->error, sizeof why);
            why[sizeof why - 1] = 0;
            return tsl_fail(err, TSL_EPROGRAM, "%s: %s", x->options.program, why);
        }
        if (is_dead(x, &status))
            return explain_start(x, status, err);
        if (tsl_deadline_passed())
            return tsl_fail(err, TSL_EPROGRAM, "%s did not reach main before the time was up",
                            x->options.program);
        if (tsl_clock_now() > until)
            return tsl_fail(err, TSL_EPROGRAM, "%s did not reach main within %.0f seconds",
                            x->options.program, START_SECONDS);
        futex_wait(&wire->ready, 0, 0.02);
    }
    x->census = wire->census;
    check_cover(x);
    uint64_t most = x->file.sites_size;
    x->nsites = wire->nsites;
    x->nstrings = wire->nstrings;
    if (x->nsites * (uint64_t)sizeof(tsl_site) + x->nstrings > most)
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

static bool start(tsl_exec *x, uint32_t seq, tsl_err *err) {
    x->weakened |= x->file.wire->census.weakened; // what earlier processes met stays true
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

static void push_via(tsl_exec *x) {
    for (char *word = strtok(x->via, " "); word; word = strtok(NULL, " "))
        tsl_vec_push(&x->argv, tsl_strdup(word));
}

static void make_argv(tsl_exec *x) {
    if (x->options.via) {
        x->via = tsl_strdup(x->options.via);
        push_via(x);
    }
    bool bare = !strchr(x->options.program, '/'); // a file here, not a command in PATH
    tsl_vec_push(&x->argv,
                 bare ? tsl_asprintf("./%s", x->options.program) : tsl_strdup(x->options.program));
    for (const char *const *arg = x->options.args; arg && *arg; arg++)
        tsl_vec_push(&x->argv, tsl_strdup(*arg));
    tsl_vec_push(&x->argv, NULL);
}

// A file can be read again for every run; anything else is copied once.
static int open_stdin(const char *path, tsl_err *err) {
    int from = open(path ? path : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return tsl_fail(err, TSL_EIO, "can't open %s: %s", path, strerror(errno)), -1;
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

tsl_exec *tsl_exec_new(const tsl_exec_options *options, tsl_err *err) {
    tsl_exec *x = tsl_alloc(sizeof *x);
    x->options = *options;
    x->mode = options->mode;
    x->run_seconds = options->run_seconds;
    cpu_set_t cpus;
    int most =
        options->workers ? (int)options->workers : 1; // who spins takes a processor from them
    bool few = sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) <= most;
    x->spins = few ? 0 : SPINS;
    x->head = tsl_alloc(sizeof *x->head);
    x->output_fd = x->stdin_fd = -1;
    make_argv(x);
    if (tsl_wire_file_open(&x->file, options->max_steps, err) &&
        (x->stdin_fd = open_stdin(options->stdin_path, err)) >= 0) {
        x->output_fd = memfd_create("teasel-output", MFD_CLOEXEC);
        if (x->output_fd < 0)
            tsl_fail(err, TSL_EIO, "can't make memory for output: %s", strerror(errno));
        else if (start(x, 0, err))
            return x;
    }
    tsl_exec_free(x);
    return NULL;
}

void tsl_exec_free(tsl_exec *x) {
    if (!x)
        return;
    kill_process(x);
    tsl_wire_file_close(&x->file);
    if (x->output_fd >= 0)
        close(x->output_fd);
    if (x->stdin_fd >= 0)
        close(x->stdin_fd);
    for (size_t i = 0; i < x->argv.len; i++)
        tsl_free(x->argv.data[i]);
    tsl_vec_drop(&x->argv);
    tsl_free(x->via);
    tsl_free(x->head);
    tsl_free(x->before_main);
    tsl_free(x);
}

// ---------------------------------------------------------------- Plans in

unsigned tsl_exec_in_flight(const tsl_exec *x) { return x->submitted - x->collected; }

unsigned tsl_exec_room(const tsl_exec *x) {
    // One slot holds the Trace handed out last.
    return x->file.nslots - 1 - tsl_exec_in_flight(x);
}

// Once per sleep: the sleeper takes a while to notice that it was woken.
static void wake_runner(tsl_exec *x) {
    uint32_t *sleeper = &x->file.wire->plan_sleeper, waits = tsl_sleeper(x->submitted - 1);
    if (__atomic_load_n(sleeper, __ATOMIC_SEQ_CST) == waits &&
        __atomic_compare_exchange_n(sleeper, &waits, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        futex_wake(&x->file.wire->plans);
}

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

static size_t input_size(const tsl_plan *plan) {
    size_t bytes = 0;
    for (size_t i = 0; i < plan->inputs.len; i++)
        bytes += sizeof(tsl_plan_input) + padded(plan->inputs.data[i].size);
    return bytes;
}

static void copy_inputs(const tsl_plan *plan, char *to) {
    for (size_t i = 0; i < plan->inputs.len; i++) {
        const tsl_planned_input *in = &plan->inputs.data[i];
        tsl_plan_input head = {.thread = in->thread, .index = in->index, .size = in->size};
        memcpy(to, &head, sizeof head);
        memcpy(to + sizeof head, plan->input_bytes.data + in->at, in->size);
        to += sizeof head + padded(in->size);
    }
}

// The log only grows, so what earlier Plans said of it stays true.
static void copy_points(const tsl_exec *x, const tsl_plan *plan) {
    if (plan->npoints)
        memcpy((char *)x->file.wire + x->file.points_offset, plan->points,
               plan->npoints * sizeof *plan->points);
}

// Plans behind the deadline are cut, unless there is time for them after all.
static bool come_back(tsl_exec *x, tsl_err *err) {
    if (tsl_exec_in_flight(x) || tsl_deadline_passed())
        return true;
    x->given_up = false;
    x->restarts++;
    if (start(x, x->submitted, err))
        return true;
    kill_process(x);
    x->given_up = tsl_deadline_passed();
    return x->given_up;
}

bool tsl_exec_submit(tsl_exec *x, const tsl_plan *plan, tsl_err *err) {
    if (x->given_up && !come_back(x, err))
        return false;
    TSL_BUG_ON(tsl_exec_room(x) == 0, "submitted %u collected %u", x->submitted, x->collected);
    size_t items = plan->items.len * sizeof(tsl_item), sleep = plan->sleep.len * sizeof(tsl_event);
    size_t order = plan->order.len * sizeof *plan->order.data, inputs = input_size(plan);
    size_t weights = plan->weights.len * sizeof *plan->weights.data;
    if (sizeof(tsl_plan_head) + items + sleep + order + 8 + inputs + weights > x->file.plan_size)
        return tsl_fail(err, TSL_ELIMIT, "a schedule of %zu entries is too long; raise --steps",
                        plan->items.len);
    TSL_BUG_ON(plan->max_steps > x->options.max_steps, "plan for %lu steps, room for %lu",
               (unsigned long)plan->max_steps, (unsigned long)x->options.max_steps);
    tsl_plan_head *head = tsl_wire_file_plan(&x->file, x->submitted);
    *head = (tsl_plan_head){.seq = x->submitted,
                            .seed = plan->seed,
                            .max_steps = plan->max_steps,
                            .policy = plan->policy,
                            .flags = plan->flags,
                            .nitems = (uint32_t)plan->items.len,
                            .nsleep = (uint32_t)plan->sleep.len,
                            .norder = (uint32_t)plan->order.len,
                            .ninputs = (uint32_t)plan->inputs.len,
                            .input_bytes = (uint32_t)inputs,
                            .max_branches = plan->max_branches,
                            .input_seed = plan->input_seed,
                            .length = plan->length,
                            .interest = plan->interest,
                            .depth = plan->depth,
                            .nweights = (uint32_t)plan->weights.len,
                            .npoints = plan->npoints};
    if (items)
        memcpy(head + 1, plan->items.data, items);
    if (sleep)
        memcpy((char *)(head + 1) + items, plan->sleep.data, sleep);
    if (order)
        memcpy((char *)(head + 1) + items + sleep, plan->order.data, order);
    char *after = (char *)(head + 1) + padded(items + sleep + order);
    if (inputs)
        copy_inputs(plan, after);
    if (weights)
        memcpy(after + inputs, plan->weights.data, weights);
    copy_points(x, plan);
    x->submitted++;
    __atomic_store_n(&x->file.wire->plans, x->submitted, __ATOMIC_SEQ_CST);
    wake_runner(x);
    return true;
}

// ---------------------------------------------------------------- Traces out

enum arrival { ARRIVED, NOT_YET, SPOILED };

static enum arrival arrival(const tsl_exec *x) {
    uint32_t traces = __atomic_load_n(&x->file.wire->traces, __ATOMIC_ACQUIRE);
    if (traces == x->collected)
        return NOT_YET;
    return traces - x->collected <= x->submitted - x->collected ? ARRIVED : SPOILED;
}

static void make_trace(tsl_exec *x, unsigned outcome, int status, const char *message) {
    memset(x->head, 0, offsetof(tsl_trace_head, message));
    x->head->seq = x->collected;
    x->head->outcome = outcome;
    x->head->wait_status = (uint32_t)status;
    x->head->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    strncpy(x->head->message, message, sizeof x->head->message - 1);
}

// The time is up: nothing runs any more, and no Trace will come.
static bool give_up(tsl_exec *x) {
    kill_process(x);
    x->given_up = true;
    make_trace(x, TSL_OUT_TIME_LIMIT, 0, "the run was still going when the time was up");
    return true;
}

// The Trace is lost with its process: start another one for the rest.
static bool start_again(tsl_exec *x, unsigned outcome, int status, const char *message,
                        tsl_err *err) {
    kill_process(x);
    make_trace(x, outcome, status, message);
    x->restarts++;
    uint32_t plans = x->submitted;
    if (!start(x, x->collected + 1, err)) {
        kill_process(x);
        x->given_up = tsl_deadline_passed();
        return x->given_up;
    }
    __atomic_store_n(&x->file.wire->plans, plans, __ATOMIC_SEQ_CST);
    futex_wake(&x->file.wire->plans);
    return true;
}

// Waits in steps of growing insistence: ask the run to stop, kill it, kill everything.  Behind the
// deadline the last step is taken soon.
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

// In small pieces when there is little time, and then not much longer than it takes to react.
static double nap(const tsl_exec *x) {
    double left = tsl_deadline_left(), most = x->run_seconds < 0.05 ? x->run_seconds : 0.05;
    return left < 0.01 ? 0.01 : left < most ? left : most;
}

static bool run_again(tsl_exec *x, tsl_err *err);

// Something else killed a process of the program: the Plan is run once more, but not for ever.
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

// The process that starts runs is gone.
static bool server_is_gone(tsl_exec *x, int status, bool *made, tsl_err *err) {
    tsl_wire *wire = x->file.wire;
    if (__atomic_load_n(&wire->ready, __ATOMIC_ACQUIRE) == 2) {
        char why[TSL_MESSAGE];
        memcpy(why, wire->error, sizeof why);
        why[sizeof why - 1] = 0;
        return tsl_fail(err, TSL_EPROGRAM, "%s: %s", x->options.program, why);
    }
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
        enum arrival a = arrival(x);
        int status = 0;
        if (a == ARRIVED) {
            x->asked = in.asked;
            return true;
        }
        *made = true;
        if (x->given_up)
            return give_up(x);
        if (a == SPOILED)
            return start_again(x, TSL_OUT_KILLED, 0,
                               "the program overwrote the memory it shares "
                               "with the tool",
                               err);
        if (is_dead(x, &status)) {
            if (!server_is_gone(x, status, made, err))
                return false;
            if (*made)
                return true;
            in = (insistence){.begun = tsl_clock_now()};
            continue;
        }
        if (is_enough(x, &in))
            return in.late > 0 ? give_up(x)
                               : start_again(x, TSL_OUT_TIME_LIMIT, 0,
                                             "the run did not react when its time was up", err);
        *made = false;
        __atomic_store_n(&x->file.wire->trace_sleeper, tsl_sleeper(x->collected), __ATOMIC_SEQ_CST);
        if (arrival(x) == NOT_YET)
            futex_wait(word, x->collected, nap(x));
        __atomic_store_n(&x->file.wire->trace_sleeper, 0, __ATOMIC_RELAXED);
    }
}

static void copy_threads(tsl_trace_head *to, const tsl_trace_head *from) {
    if (to->nthreads > TSL_TRACE_THREADS)
        to->nthreads = TSL_TRACE_THREADS;
    memcpy(to->threads, from->threads, to->nthreads * sizeof *to->threads);
    for (uint32_t i = 0; i < to->nthreads; i++) {
        tsl_thread_info *info = &to->threads[i];
        if (info->nframes > TSL_MAX_FRAMES)
            info->nframes = TSL_MAX_FRAMES;
        info->name[sizeof info->name - 1] = 0;
        info->thread %= TSL_MAX_THREADS;
        info->parent %= TSL_MAX_THREADS;
        if (info->pending >= TSL_EV_COUNT)
            info->pending = TSL_EV_NONE;
    }
}

// Numbers first; the long parts only when there is something to tell.
static void copy_head(tsl_exec *x, const tsl_trace_head *from) {
    tsl_trace_head *to = x->head;
    memcpy(to, from, offsetof(tsl_trace_head, message));
    to->message[0] = 0;
    if (to->output_bytes > TSL_OUTPUT)
        to->output_bytes = TSL_OUTPUT;
    if (to->nreached > x->npoints)
        to->nreached = 0;
    if (to->outcome >= TSL_OUT_COUNT)
        to->outcome = TSL_OUT_RUNTIME;
    if (to->nevents > x->file.max_events + TSL_WIRE_MARGIN)
        to->nevents = 0;
    if (to->nnodes > x->file.max_nodes)
        to->nnodes = 0;
    memcpy(to->output, from->output, to->output_bytes);
    if (to->outcome != TSL_OUT_OK) {
        memcpy(to->message, from->message, sizeof to->message);
        to->message[sizeof to->message - 1] = 0;
        copy_threads(to, from);
    } else
        to->nthreads = 0;
}

// A long Trace's memory is given back, or every slot would grow to the longest ever.
static void give_back(uintptr_t from, uintptr_t end) {
    from = (from + 4095) & ~(uintptr_t)4095;
    end = (end + 4095) & ~(uintptr_t)4095;
    if (end > from)
        madvise((void *)from, end - from, MADV_REMOVE);
}

static void shrink_slot(tsl_exec *x) {
    if (x->collected && x->head->nnodes > KEEP_NODES) {
        uintptr_t nodes = (uintptr_t)tsl_wire_file_nodes(&x->file, x->collected - 1);
        give_back(nodes + KEEP_NODES * sizeof(tsl_expr),
                  nodes + x->head->nnodes * sizeof(tsl_expr));
    }
    if (x->collected == 0 || x->head->nevents <= KEEP_EVENTS)
        return;
    uintptr_t events = (uintptr_t)(tsl_wire_file_trace(&x->file, x->collected - 1) + 1);
    give_back(events + KEEP_EVENTS * sizeof(tsl_event),
              events + x->head->nevents * sizeof(tsl_event));
}

// A Trace that does not carry its Plan's number was not written for it: the program is
// started again for that Plan, and nothing is lost.
static bool run_again(tsl_exec *x, tsl_err *err) {
    uint32_t plans = x->submitted;
    kill_process(x);
    x->restarts++;
    if (!start(x, x->collected, err))
        return false;
    __atomic_store_n(&x->file.wire->plans, plans, __ATOMIC_SEQ_CST);
    futex_wake(&x->file.wire->plans);
    return true;
}

// A run that is killed because it does not stop has not died of itself.
static void blame_the_clock(tsl_exec *x) {
    if (x->asked < 2 || x->head->outcome != TSL_OUT_KILLED)
        return;
    x->head->outcome = TSL_OUT_TIME_LIMIT;
    x->head->signal = 0;
    strncpy(x->head->message, "the run did not react when its time was up",
            sizeof x->head->message - 1);
}

static bool collect_head(tsl_exec *x, tsl_err *err) {
    for (int tries = 0;; tries++) {
        bool made = false;
        x->asked = 0;
        for (int i = 0; i < x->spins && arrival(x) == NOT_YET; i++)
            relax();
        if (arrival(x) != ARRIVED && !await_trace(x, &made, err))
            return false;
        if (made)
            return true;
        copy_head(x, tsl_wire_file_trace(&x->file, x->collected));
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

// The Trace was written on another processor, and line after line takes its time to come over:
// all are asked for at once.  Runs resemble each other, so the next one's length is guessed.
static void fetch(const tsl_trace_head *head, size_t nevents) {
    const char *end = (const char *)((const tsl_event *)(head + 1) + nevents);
    for (size_t back = 0; back < nevents * sizeof(tsl_event) && back < 4096; back += 64)
        __builtin_prefetch(end - back);
}

static void fetch_ahead(const tsl_exec *x) {
    if (arrival(x) != ARRIVED)
        return;
    const tsl_trace_head *next = tsl_wire_file_trace(&x->file, x->collected);
    for (size_t at = 0; at < offsetof(tsl_trace_head, message); at += 64)
        __builtin_prefetch((const char *)next + at);
    fetch(next, x->head->nevents);
}

bool tsl_exec_collect(tsl_exec *x, tsl_trace *trace, tsl_err *err) {
    TSL_BUG_ON(tsl_exec_in_flight(x) == 0, "nothing in flight");
    shrink_slot(x);
    if (!collect_head(x, err)) { // nothing of what is in flight will come
        kill_process(x);
        x->collected = x->submitted;
        return false;
    }
    const tsl_trace_head *shared = tsl_wire_file_trace(&x->file, x->collected);
    fetch(shared, x->head->nevents);
    x->collected++;
    __atomic_store_n(&x->file.wire->collected, x->collected, __ATOMIC_RELAXED);
    fetch_ahead(x);
    *trace = (tsl_trace){.head = x->head,
                         .events = (const tsl_event *)(shared + 1),
                         .nevents = x->head->nevents,
                         .nodes = tsl_wire_file_nodes(&x->file, x->collected - 1),
                         .nnodes = x->head->nnodes};
    return true;
}

// ---------------------------------------------------------------- the rest

void tsl_exec_set_mode(tsl_exec *x, enum tsl_mode mode) {
    TSL_BUG_ON(tsl_exec_in_flight(x) != 0, "in flight: %u", tsl_exec_in_flight(x));
    x->mode = mode;
    __atomic_store_n(&x->file.wire->mode, (uint32_t)mode, __ATOMIC_SEQ_CST);
}

enum tsl_mode tsl_exec_mode(const tsl_exec *x) { return x->mode; }

const tsl_census *tsl_exec_census(tsl_exec *x) {
    x->census = x->file.wire->census;
    tsl_census *c = &x->census;
    c->weakened |= x->weakened;
    c->nopaque = c->nopaque > TSL_MAX_OPAQUE ? TSL_MAX_OPAQUE : c->nopaque;
    c->nnotes = c->nnotes > TSL_MAX_NOTES ? TSL_MAX_NOTES : c->nnotes;
    c->nmapped = c->nmapped > TSL_MAX_MODULES_MAPPED ? TSL_MAX_MODULES_MAPPED : c->nmapped;
    for (uint32_t i = 0; i < c->nopaque; i++)
        c->opaque[i].name[sizeof c->opaque[i].name - 1] = 0;
    for (uint32_t i = 0; i < c->nnotes; i++)
        c->notes[i].text[sizeof c->notes[i].text - 1] = 0;
    for (uint32_t i = 0; i < c->nmapped; i++)
        c->mapped[i].path[sizeof c->mapped[i].path - 1] = 0;
    return c;
}

const tsl_site *tsl_exec_sites(const tsl_exec *x, size_t *nsites, const char **strings,
                               size_t *nstrings) {
    const tsl_site *sites = (const tsl_site *)((const char *)x->file.wire + x->file.sites_offset);
    *nsites = x->nsites;
    *strings = (const char *)(sites + x->nsites);
    *nstrings = x->nstrings;
    return sites;
}

tsl_cover_tables tsl_exec_cover(const tsl_exec *x) {
    const char *base = (const char *)x->file.wire;
    return (tsl_cover_tables){
        .funcs = (const tsl_cover_func *)(base + x->file.cover_funcs_offset),
        .places = (const tsl_cover_place *)(base + x->file.cover_places_offset),
        .reached = ((const tsl_cover_log *)(base + x->file.cover_log_offset))->points,
        .nfuncs = x->ncover_funcs,
        .nplaces = x->ncover_places,
        .npoints = x->npoints};
}

void tsl_exec_forget_cover(tsl_exec *x) {
    TSL_BUG_ON(tsl_exec_in_flight(x) != 0, "in flight: %u", tsl_exec_in_flight(x));
    char *base = (char *)x->file.wire;
    memcpy(cover_map(x), x->before_main, x->npoints);
    memset(base + x->file.cover_logged_offset, 0, x->npoints);
    ((tsl_cover_log *)(base + x->file.cover_log_offset))->n = 0;
}

void tsl_exec_set_run_seconds(tsl_exec *x, double seconds) { x->run_seconds = seconds; }

uint64_t tsl_exec_restarts(const tsl_exec *x) { return x->restarts; }

int tsl_exec_pid(const tsl_exec *x) { return x->pid; }
