// syscall(2): futexes, for programs that build their own locks, and other raw system calls.
//
//     WAIT    compares and joins the queue in one step; RETURN leaves it, once woken or
//             (with a time limit) at any moment
//     WAKE    wakes waiters of that address; if it does not wake all, it is a choice which
//
// If the runtime has a function for a system call (raw.def), that is called.  All others go to the
// kernel; those that raw.def does not list weaken the claim.
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../notes.h"
#include "../quick.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "ranges.h"
#include "time.h"

// FUTEX_WAIT takes a duration, FUTEX_WAIT_BITSET a point in time.
static void time_out(long operation, const struct timespec *time) {
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        tslrt_clock_pass((uint64_t)time->tv_sec * 1000000000ull + (uint64_t)time->tv_nsec);
    else
        tslrt_clock_reached(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                            time);
}

// The kernel refuses an address that it can't read.  An address in the heap is checked by the step.
static bool is_mapped(const uint32_t *word) {
    return (uintptr_t)word - TSL_HEAP_ADDR < TSL_HEAP_SIZE ||
           tslrt_object_lives(word, TSL_SYNC_FUTEX);
}

static long futex_wait(const uint32_t *word, uint32_t value, long operation,
                       const struct timespec *time, uint32_t site) {
    tslrt_fiber *self = SELF;
    TSL_HOT->call_site = site;
    if (!is_mapped(word))
        return tslrt_fail(EFAULT);
    tslrt_op_on(TSL_EV_FUTEX_WAIT, word, TSL_SYNC_FUTEX);
    tslrt_also(TSL_EV_AREAD, word, 0, 2);
    if (*word != value) {
        tslrt_result(EAGAIN);
        return tslrt_fail(EAGAIN);
    }
    self->wait.futex = word;
    self->wait.ticket = ++RUN->count.tickets;
    self->wait.may_give_up = time != NULL;
    tslrt_block(TSL_EV_FUTEX_RETURN, word, site);
    tslrt_record(TSL_EV_FUTEX_RETURN, word, site);
    TSL_HOT->cursor[-1].arg = TSL_SYNC_FUTEX;
    if (!self->wait.futex)
        return 0;
    self->wait.futex = NULL;
    time_out(operation, time);
    tslrt_result(ETIMEDOUT);
    return tslrt_fail(ETIMEDOUT);
}

// The first waiter of that address that came after `ticket`.
static tslrt_fiber *next_waiter(const uint32_t *word, uint64_t ticket) {
    tslrt_fiber *found = NULL;
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (f->state == FIBER_LIVE && f->wait.futex == word && f->wait.ticket > ticket &&
            (!found || f->wait.ticket < found->wait.ticket))
            found = f;
    }
    return found;
}

static unsigned count_waiters(const uint32_t *word) {
    unsigned n = 0;
    for (tslrt_fiber *f = next_waiter(word, 0); f; f = next_waiter(word, f->wait.ticket))
        n++;
    return n;
}

static long futex_wake(const uint32_t *word, uint32_t most, uint32_t site) {
    long woken = 0;
    TSL_HOT->call_site = site;
    if (!is_mapped(word))
        return tslrt_fail(EFAULT);
    // Waking touches no memory: locks wake after a store that lets another thread free them.
    tslrt_op_sized(TSL_EV_FUTEX_WAKE, word, TSL_SYNC_FUTEX);
    const tsl_event *first = TSL_HOT->cursor;
    for (unsigned n; most > 0 && (n = count_waiters(word)) > 0; most--, woken++) {
        unsigned skip = n > most ? tslrt_choose(n) : 0;
        tslrt_fiber *f = next_waiter(word, 0);
        while (skip-- > 0)
            f = next_waiter(word, f->wait.ticket);
        f->wait.futex = NULL;
        tslrt_clock_give(&f->clock_ns);
        tslrt_woke(word, f);
    }
    tslrt_result((unsigned)woken);
    tslrt_enable_woken(first);
    return woken;
}

// Waiters that would be moved to another queue are woken instead, which they must always expect.
static long futex_requeue(const long a[6], bool compares, uint32_t site) {
    const uint32_t *word = (const uint32_t *)a[0];
    TSL_HOT->call_site = site;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "futex: waiters are woken instead of being moved to another queue");
    if (!is_mapped(word))
        return tslrt_fail(EFAULT);
    if (compares) {
        tslrt_op(TSL_EV_CALL, NULL);
        tslrt_also(TSL_EV_AREAD, word, 0, 2);
        if (*word != (uint32_t)a[5])
            return tslrt_fail(EAGAIN);
    }
    uint64_t most = (uint64_t)(uint32_t)a[2] + (uint32_t)a[3];
    return futex_wake(word, most > INT32_MAX ? INT32_MAX : (uint32_t)most, site);
}

static uint32_t changed_by(unsigned operation, uint32_t old, uint32_t value) {
    switch (operation & 7u) {
    case FUTEX_OP_SET:
        return value;
    case FUTEX_OP_ADD:
        return old + value;
    case FUTEX_OP_OR:
        return old | value;
    case FUTEX_OP_ANDN:
        return old & ~value;
    default:
        return old ^ value;
    }
}

static bool compared(unsigned how, int32_t old, int32_t value) {
    switch (how) {
    case FUTEX_OP_CMP_EQ:
        return old == value;
    case FUTEX_OP_CMP_NE:
        return old != value;
    case FUTEX_OP_CMP_LT:
        return old < value;
    case FUTEX_OP_CMP_LE:
        return old <= value;
    case FUTEX_OP_CMP_GT:
        return old > value;
    default:
        return old >= value;
    }
}

// Changes one word and wakes waiters of another; if the old value compares as asked, also wakes
// waiters of the changed word.
static long futex_wake_op(const long a[6], uint32_t site) {
    uint32_t *other = (uint32_t *)a[4], coded = (uint32_t)a[5];
    unsigned operation = coded >> 28;
    int32_t given = (int32_t)(coded << 8) >> 20, expected = (int32_t)(coded << 20) >> 20;
    uint32_t value = operation & FUTEX_OP_OPARG_SHIFT ? 1u << (given & 31) : (uint32_t)given;
    if (!is_mapped(other))
        return tslrt_fail(EFAULT);
    long woken = futex_wake((const uint32_t *)a[0], (uint32_t)a[2], site);
    if (woken < 0)
        return woken;
    uint32_t old = *other;
    *other = changed_by(operation, old, value);
    tslrt_wrote(other, sizeof *other);
    tslrt_also(TSL_EV_RMW, other, 0, 2);
    if (compared(coded >> 24 & 15u, (int32_t)old, expected))
        woken += futex_wake(other, (uint32_t)a[3], site);
    return woken;
}

static long futex(const long a[6], uint32_t site) {
    const uint32_t *word = (const uint32_t *)a[0];
    switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return futex_wait(word, (uint32_t)a[2], a[1], (const struct timespec *)a[3], site);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return futex_wake(word, (uint32_t)a[2], site);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return futex_requeue(a, (a[1] & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE, site);
    case FUTEX_WAKE_OP:
        return futex_wake_op(a, site);
    default:
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "futex operation %d is not controlled: it was refused",
                     (int)(a[1] & FUTEX_CMD_MASK));
        return tslrt_fail(ENOSYS);
    }
}

// ---------------------------------------------------------------- other calls

// Ends one thread, without cleanup handlers and destructors, or with the last one the process.
static noreturn void end_thread(int status) {
    tslrt_fiber *self = SELF;
    if (RUN->count.live <= 1)
        _exit(status);
    self->thread.cleanup = NULL;
    if (self->own.keys)
        memset(self->own.keys, 0, TSLRT_MAX_KEYS * sizeof *self->own.keys);
    pthread_exit(NULL);
}

// A clone with memory of its own is a fork.  A thread would not be scheduled by the runtime.
static long clone_process(long flags) {
    if (!(flags & CLONE_VM))
        return fork();
    tslrt_weaken(TSL_REASON_UNCONTROLLED, "clone is refused: only pthread_create makes threads");
    return tslrt_fail(ENOSYS);
}

static long seccomp(unsigned operation, unsigned flags, void *args) {
    bool confines = operation == SECCOMP_SET_MODE_STRICT || operation == SECCOMP_SET_MODE_FILTER;
    if (confines && tslrt_is_confined())
        return 0;
    return tslrt_returned(tslrt_sys3(SYS_seccomp, operation, flags, args));
}

static const struct known {
    long number;
    const char *name;
} all_known[] = {
#define TSL_RAW(name, call) {SYS_##name, #name},
#define TSL_RAW_PLAIN(name) {SYS_##name, #name},
#include "raw.def"
#undef TSL_RAW
#undef TSL_RAW_PLAIN
};

#define KNOWN (sizeof all_known / sizeof *all_known)

// The row that tells what the call touches, unless the runtime's function tells.
static const tsl_libc *row_of(const struct known *k) {
    const tsl_libc *row = tsl_libc_find(k->name);
    return row && row->by != TSL_LIBC_OWN ? row : NULL;
}

static const tsl_libc *row_of_number(long number) {
    for (unsigned i = 0; i < KNOWN; i++)
        if (all_known[i].number == number)
            return row_of(&all_known[i]);
    return NULL;
}

void tslrt_raw_states(void) {
    for (unsigned i = 0; i < KNOWN; i++)
        if (row_of(&all_known[i]))
            tslrt_states_add(row_of(&all_known[i]));
}

static long call_kernel(long number, const long a[6], const tsl_libc *row) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE | (row ? row->class_ : 0u);
    return tslrt_returned(tslrt_sys6(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

static long call(long number, const long a[6], const tsl_libc *row, uint32_t site) {
    switch (number) {
#define TSL_RAW(name, call)                                                                        \
    case SYS_##name:                                                                               \
        return (long)(call);
#define TSL_RAW_PLAIN(name)                                                                        \
    case SYS_##name:                                                                               \
        return call_kernel(number, a, row);
#include "raw.def"
#undef TSL_RAW
#undef TSL_RAW_PLAIN
    default:
        tslrt_weaken_at(site, TSL_REASON_OUTSIDE, "the raw system call %ld is not controlled",
                        number);
        return call_kernel(number, a, row);
    }
}

static long call_controlled(long number, const long a[6], uint32_t site) {
    uint64_t args[TSL_CALL_ARGS] = {0};
    const tsl_libc *row = row_of_number(number);
    memcpy(args, a, 6 * sizeof *args);
    if (row)
        tslrt_libc_begin(row, args, site, false);
    TSL_HOT->call_site = site;
    long result = call(number, a, row, site);
    if (row)
        tslrt_libc_end(row, args, (uint64_t)result, site);
    return result;
}

API long syscall(long number, ...) {
    long a[6];
    uint32_t site = tslrt_take_site();
    va_list args;
    va_start(args, number);
    for (unsigned i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    tslrt_init();
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD)
        return call_kernel(number, a, NULL);
    if (number == SYS_prctl && a[0] == PR_SET_SECCOMP)
        return prctl((int)a[0], a[1], a[2], a[3], a[4]);
    return number == SYS_futex ? futex(a, site) : call_controlled(number, a, site);
}
