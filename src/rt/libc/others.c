// No thread of this process can go on: may another process let one?
//
// A descriptor may become ready by what the world outside does, which gets half a second.  A child of the program that
// lives may write to a pipe, post a semaphore in memory that both share, or send a signal: it is waited for as long as
// it lives.  In such a child nothing is controlled, and its parent may do all of that: it waits for ever, as it would
// do anywhere.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "../rt.h"
#include "../sys.h"

enum { MOMENT = 1000000, LONG_MOMENT = 10000000, HALF_A_SECOND = 500000000 }; // nanoseconds

// A child that has not ended.
static bool has_children(void) {
    siginfo_t info = {0};
    if (!(RUN->flags & TSL_TRACE_FORKED))
        return false;
    for (unsigned i = 0; i < RUN->nchildren; i++) {
        info.si_pid = 0;
        long got = tslrt_sys5(SYS_waitid, P_PID, RUN->children[i], &info,
                              WEXITED | WNOHANG | WNOWAIT, NULL);
        if (got == 0 && info.si_pid == 0)
            return true;
    }
    return false;
}

static uintptr_t hex(const char **at) {
    uintptr_t value = 0;
    for (;; (*at)++) {
        unsigned c = (unsigned char)**at;
        if (c >= '0' && c <= '9')
            value = value * 16 + (c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (c - 'a' + 10);
        else
            return value;
    }
}

// A line of /proc/self/maps, "low-high perms ...": is it memory that is shared, with this address?
static bool is_shared_line(const char *line, uintptr_t address) {
    uintptr_t low = hex(&line);
    line++;
    uintptr_t high = hex(&line);
    return address >= low && address < high && strlen(line) > 4 && line[4] == 's';
}

static bool is_shared(const void *object) {
    char text[4096];
    size_t n = 0;
    bool found = false;
    long fd = tslrt_sys4(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    for (long got = 1; fd >= 0 && got > 0 && !found;) {
        got = tslrt_sys3(SYS_read, fd, text + n, sizeof text - 1 - n);
        n += got > 0 ? (size_t)got : 0;
        text[n] = 0;
        char *line = text;
        for (char *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = 0;
            found |= is_shared_line(line, (uintptr_t)object);
        }
        n -= (size_t)(line - text);
        memmove(text, line, n);
    }
    if (fd >= 0)
        tslrt_sys1(SYS_close, fd);
    return found;
}

// By what it stands before: can another process let it go on?
static bool waits_for_others(const tslrt_fiber *f, bool related) {
    if (f->io)
        return related || tslrt_io_outside(f);
    return related && (f->pend.kind == TSL_EV_PAUSE || is_shared(f->pend.object));
}

// Waits of loops are decided elsewhere (await.c).
static bool wake_ready(void) {
    bool any = false;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && f->pend.kind != TSL_EV_AWAIT && tslrt_can_run(f)) {
            tslrt_set_enabled(f, true);
            any = true;
        }
    }
    return any;
}

static bool anybody_waits(bool related) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && waits_for_others(f, related))
            return true;
    }
    return false;
}

// A handler of the program's that runs meanwhile, and at no other time, ends a pause.
static void wait_for(const struct timespec *moment, const uint64_t *mask) {
    if (tslrt_sys5(SYS_ppoll, NULL, 0, moment, mask, 8) != -EINTR)
        return;
    for (unsigned i = 0; i < RUN->nfibers; i++)
        tslrt_fiber_at(tslrt->fibers[i])->interrupted = true;
}

static bool wait_for_others(const uint64_t *mask) {
    bool is_child = tslrt->kind == RT_CHILD;
    struct timespec moment = {.tv_nsec = MOMENT};
    for (long waited = 0; waited < HALF_A_SECOND; waited += moment.tv_nsec) {
        bool child = is_child || has_children(); // before the look: what it did is seen
        if (wake_ready())
            return true;
        if (!is_child && !anybody_waits(child))
            return false;
        waited = child ? 0 : waited;
        wait_for(&moment, mask);
        moment.tv_nsec = moment.tv_nsec < LONG_MOMENT ? moment.tv_nsec * 2 : LONG_MOMENT;
    }
    return false;
}

bool tslrt_others_await(void) {
    bool forked = tslrt->kind == RT_CHILD || (RUN->flags & TSL_TRACE_FORKED);
    uint64_t before, all = ~(1ull << (SIGXCPU - 1));
    if (!forked && !anybody_waits(false))
        return false;
    tslrt_sys4(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, 8);
    bool found = wait_for_others(&before);
    tslrt_sys4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8);
    return found;
}
