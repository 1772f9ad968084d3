// No thread can run: what may still come from outside the process?
//
// Data on a descriptor, a signal of a timer or a child, or a change of shared memory by a child.
// The runtime waits for children and grandchildren as long as they live, and for anything else half
// a second by the real clock.  Timers expire at once, because nothing else can happen before.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "../crash.h"
#include "../proc.h"
#include "../state.h"
#include "../sys.h"
#include "patience.h"

enum { MOMENTS = 50, MOMENT_NS = 10000000 };

// ---------------------------------------------------------------- descriptors

enum { SOON = 2 }; // moments within which the kernel passes on what this process sent to itself

// Is the descriptor a socket bound to the loopback interface, and has it been waited for a little?
// Most likely only this process itself sends to it, and that arrives soon.
static bool is_near(int fd, int domain) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at = {0};
    socklen_t size = sizeof at;
    if (RUN->patience.moment < SOON || tslrt_sys3(SYS_getsockname, fd, &at, &size) != 0)
        return false;
    return (domain == AF_INET && ntohl(at.four.sin_addr.s_addr) >> 24 == 127) ||
           (domain == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&at.six.sin6_addr));
}

// Pipes and local sockets carry only what the program or a process that it started sends.  Other
// descriptors may hear from the world outside, or from a timer.
static bool is_outside(int fd) {
    struct stat st;
    int domain = AF_UNIX;
    socklen_t size = sizeof domain;
    if (fd < 0 || fstat(fd, &st) != 0 || S_ISFIFO(st.st_mode) || tslrt_channel_of(fd, false))
        return false;
    if (!S_ISSOCK(st.st_mode)) // not waited for long while other threads can run
        return RUN->patience.moment < SOON || RUN->count.enabled == 0;
    tslrt_sys5(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    return domain != AF_UNIX && !is_near(fd, domain);
}

static bool is_inside(int fd) { return !is_outside(fd); }

static bool is_inside_socket(int fd) {
    struct stat st;
    return fd < 0 || fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode) || is_inside(fd);
}

static bool any_socket(int fd) { return (void)fd, true; }

// Can clients reach the program through the descriptor, or through one that it watches by epoll?
static bool is_for_clients(int fd) {
    return !is_inside_socket(fd) ||
           (tslrt_channel_epoll(fd, any_socket) && !tslrt_channel_epoll(fd, is_inside_socket));
}

// A server is not deadlocked because nobody asks it for anything.
bool tslrt_waits_for_client(void) {
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        for (unsigned long k = 0; f->io.wait && k < f->io.wait->n; k++)
            if (is_for_clients(f->io.wait->fds[k].fd))
                return true;
    return false;
}

static bool waits_for_outside(const tslrt_fiber *f) {
    for (unsigned long i = 0; i < f->io.wait->n; i++)
        if (is_outside(f->io.wait->fds[i].fd) &&
            !tslrt_channel_epoll(f->io.wait->fds[i].fd, is_inside))
            return true;
    return false;
}

// ---------------------------------------------------------------- other processes

enum child { CHILD_NONE, CHILD_LIVES, CHILD_ENDED };

static enum child ask_for(int which, unsigned pid) {
    siginfo_t info = {0};
    long got = tslrt_sys5(SYS_waitid, which, pid, &info, WEXITED | WNOHANG | WNOWAIT, NULL);
    return got != 0 ? CHILD_NONE : info.si_pid ? CHILD_ENDED : CHILD_LIVES;
}

// Does a child of the program live?  Children of posix_spawn, popen and system count, too, which
// libc starts without the runtime.
static bool has_children(void) {
    enum child any = ask_for(P_ALL, 0);
    RUN->process.had_children |= any != CHILD_NONE;
    if (any != CHILD_ENDED)
        return any == CHILD_LIVES;
    unsigned pids[TSLRT_MAX_CHILDREN], self = (unsigned)tslrt_sys0(SYS_getpid);
    unsigned n = tslrt_children(self, pids, TSLRT_MAX_CHILDREN);
    for (unsigned i = 0; i < n; i++)
        if (ask_for(P_PID, pids[i]) == CHILD_LIVES)
            return true;
    return false;
}

// A grandchild whose parent has ended is a child of the server, which is the parent of every run.
static bool has_orphans(void) {
    unsigned pids[2];
    if (tslrt->kind != RT_SERVED || !RUN->process.had_children)
        return false;
    return tslrt_children((unsigned)tslrt_sys0(SYS_getppid), pids, 2) > 1; // one is this run
}

// A forked process may hear from any other process of the run, even if its parent has ended.  It
// does not wait for ever, because the server kills it when the run ends.
static bool has_relatives(void) { return tslrt->kind == RT_CHILD; }

// Named semaphores count as shared: they belong to the run, but the program can't know that.
bool tslrt_is_shared(const void *object) {
    const tslrt_registry *reg = tslrt_reg();
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (reg->maps[i].shared && (uintptr_t)object - reg->maps[i].addr < reg->maps[i].len)
            return true;
    return (uintptr_t)object - (uintptr_t)reg->sems < sizeof reg->sems;
}

// Waiters of a condition variable, a barrier, a futex or a named semaphore are not told what
// another process does to the object, so a thread that seems deadlocked may only lack that.
bool tslrt_waits_for_process(void) {
    if (!RUN->process.had_children)
        return false;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (tslrt_is_shared(f->pend.object))
            return true;
    return false;
}

// ---------------------------------------------------------------- signals

static bool waits_for_signal(const tslrt_fiber *f) {
    return f->pend.kind == TSL_EV_PAUSE || tslrt_is_signal(f->pend.object);
}

// A handler may post a semaphore or write to a pipe.  Some handlers signal a condition variable,
// although POSIX does not allow it.
static bool handler_may_help(const tslrt_fiber *f) {
    return waits_for_signal(f) || f->pend.kind == TSL_EV_SEM_WAIT || f->wait.cond || f->io.wait;
}

static bool is_handled(int sig) { return (uintptr_t)tslrt_reg()->signal_actions[sig].handler > 1; }

static uint64_t awaited_by_any(void) {
    uint64_t wanted = 0;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (tslrt_is_signal(f->pend.object))
            wanted |= f->signal.awaited;
    return wanted;
}

static bool expects_signals(void) {
    bool may_come =
        tslrt->memory.moved_from_outside || RUN->trace.flags & TSL_TRACE_FORKED || has_relatives();
    return may_come && (tslrt_reg()->handled || awaited_by_any());
}

// Remembers the descriptor if it is a timer that expires before those seen so far.
static bool note_timer(int fd) {
    struct itimerspec left;
    if (tslrt_sys2(SYS_timerfd_gettime, fd, &left) != 0)
        return true;
    uint64_t ns = (uint64_t)left.it_value.tv_sec * 1000000000u + (uint64_t)left.it_value.tv_nsec;
    if (ns && (RUN->patience.timer < 0 || ns < RUN->patience.timer_ns)) {
        RUN->patience.timer = fd;
        RUN->patience.timer_ns = ns;
    }
    return true;
}

// Of all timer descriptors that a thread waits for, the first one expires now.
static void bring_timer_descriptors(void) {
    struct itimerspec soon;
    RUN->patience.timer = -1;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        for (unsigned long n = 0; f->io.wait && n < f->io.wait->n; n++) {
            note_timer(f->io.wait->fds[n].fd);
            tslrt_channel_epoll(f->io.wait->fds[n].fd, note_timer);
        }
    if (RUN->patience.timer < 0 || tslrt_sys2(SYS_timerfd_gettime, RUN->patience.timer, &soon) != 0)
        return;
    soon.it_value = (struct timespec){.tv_nsec = 1};
    tslrt_sys4(SYS_timerfd_settime, RUN->patience.timer, 0, &soon, NULL);
}

// Time passes until the next timer that a handler or a waiting thread cares about.
static void bring_timers(void) {
    tslrt_timers_bring(tslrt_reg()->handled | awaited_by_any());
    bring_timer_descriptors();
}

static bool all_block(int sig) {
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (!tslrt_signal_is_blocked(f, sig))
            return false;
    return true;
}

// A thread waits for a signal, and the next signal, from a timer, has no handler: it ends the
// process.  But if threads wait for each other, that is a deadlock, whatever would end it.
static void end_by_timer(void) {
    bool waits = false;
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));) {
        waits |= waits_for_signal(f);
        if (f->io.wait && waits_for_outside(f))
            return;
    }
    uint64_t deadly = waits ? tslrt_timers_set(tslrt_signals_deadly() & ~awaited_by_any()) : 0;
    for (; deadly; deadly &= deadly - 1) {
        int sig = __builtin_ctzll(deadly) + 1;
        if (!all_block(sig) && !tslrt_find_stuck(false))
            tslrt_signal_kills(sig, "while every thread waited, a timer of the program expired, "
                                    "and nothing handles its signal");
    }
}

// A thread in pause or sigsuspend that does not block the signal, else any thread that does not.
static tslrt_fiber *receiver_of(int sig) {
    tslrt_fiber *any = NULL;
    for (tslrt_fiber *f = NULL; (f = tslrt_next_live(f));) {
        if (tslrt_signal_is_blocked(f, sig))
            continue;
        if (f->pend.kind == TSL_EV_PAUSE)
            return f;
        any = any ? any : f;
    }
    return any;
}

static void arrives(int sig) {
    tslrt_fiber *to = receiver_of(sig);
    tslrt_weaken(TSL_REASON_OUTSIDE, "a signal came from outside: when it comes is not controlled");
    if (!to || !is_handled(sig)) {
        tslrt_signal_came(sig);
        return;
    }
    to->interrupt.sent |= 1ull << (sig - 1);
    tslrt_set_enabled(to, true);
}

static void hand_on(void) {
    while (RUN->patience.arrived) {
        int sig = __builtin_ctzll(RUN->patience.arrived) + 1;
        RUN->patience.arrived &= RUN->patience.arrived - 1;
        arrives(sig);
    }
}

// Awaited signals, which are blocked, are taken from the kernel; other signals interrupt the wait.
static void wait_a_moment(void) {
    uint64_t wanted = awaited_by_any();
    struct timespec moment = {.tv_nsec = MOMENT_NS};
    long got = tslrt_sys4(SYS_rt_sigtimedwait, &wanted, NULL, &moment, 8);
    if (got > 0)
        RUN->patience.arrived |= 1ull << (got - 1);
}

// ---------------------------------------------------------------- waiting

static bool goes_on(tslrt_fiber *f, bool others) {
    bool can = f->io.wait ? tslrt_io_ready(f) : others && tslrt_can_run(f);
    if (can)
        tslrt_set_enabled(f, true);
    return can;
}

static bool hopes(const tslrt_fiber *f, bool others, bool signals) {
    return (f->io.wait && (others || waits_for_outside(f))) || (signals && handler_may_help(f)) ||
           (others && waits_for_signal(f)) || (others && tslrt_is_shared(f->pend.object));
}

// Waits until `only` can go on, or any thread if that is NULL.  False if none can.
static bool await_outside(const tslrt_fiber *only) {
    for (unsigned moment = 0; moment < MOMENTS; moment++) {
        bool hope = false, others = has_children() || has_orphans() || has_relatives();
        bool signals = expects_signals();
        moment = others ? 0 : moment;
        RUN->patience.moment = moment;
        for (tslrt_fiber *f = NULL; (f = tslrt_next_live(f));) {
            if (only && f != only)
                continue;
            if (goes_on(f, RUN->process.had_children || others))
                return true;
            hope |= hopes(f, others, signals);
        }
        hand_on();
        if (only ? tslrt_can_run(only) : RUN->count.enabled > 0)
            return true;
        bool idle =
            only ? only == SELF && RUN->count.enabled == SELF->enabled : RUN->count.enabled == 0;
        if (idle && !others && !tslrt_timers_set(tslrt_reg()->handled | awaited_by_any()))
            end_by_timer();
        if (!hope || (only && only->io.wait && only->io.wait->ready && RUN->count.enabled > 0))
            return false;
        bring_timers();
        wait_a_moment();
    }
    return false;
}

bool tslrt_await_outside(const tslrt_fiber *only) {
    RUN->patience.waits = true;
    bool came = await_outside(only);
    RUN->patience.waits = false;
    return came;
}
