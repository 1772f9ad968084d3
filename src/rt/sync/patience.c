// Nobody can run: what may still come from outside?
//
// Data on a descriptor, a signal of a timer or a child, or a word of shared memory that a child changes.  Children and
// grandchildren are waited for as long as they live, everything else for half a second by the real clock; timers expire at once, because
// nothing else can happen before that.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "../libc/channel.h"
#include "../sys.h"
#include "objects.h"

enum { MOMENTS = 50, MOMENT_NS = 10000000 };

// ---------------------------------------------------------------- descriptors

enum { SOON = 2 }; // moments within which the kernel hands on what this process itself did

// A socket of this computer that was bound: who sends to it is most likely this process itself, and at once.
static bool is_near(int fd, int domain) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at = {0};
    socklen_t size = sizeof at;
    if (RUN->moment < SOON || tslrt_sys3(SYS_getsockname, fd, &at, &size) != 0)
        return false;
    return (domain == AF_INET && ntohl(at.four.sin_addr.s_addr) >> 24 == 127) ||
           (domain == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&at.six.sin6_addr));
}

// Pipes and local sockets carry what the program itself sends, or a process that came of it (see below); the rest may
// hear from the world outside, or from a timer.
static bool is_outside(int fd) {
    struct stat st;
    int domain = AF_UNIX;
    socklen_t size = sizeof domain;
    if (fd < 0 || fstat(fd, &st) != 0 || S_ISFIFO(st.st_mode) || tslrt_channel_of(fd, false))
        return false;
    if (!S_ISSOCK(st.st_mode)) // while others can run, it is not waited for long
        return RUN->moment < SOON || RUN->nenabled == 0;
    tslrt_sys5(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    return domain != AF_UNIX && !is_near(fd, domain);
}

static bool is_inside(int fd) { return !is_outside(fd); }

static bool is_inside_socket(int fd) {
    struct stat st;
    return fd < 0 || fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode) || is_inside(fd);
}

static bool any_socket(int fd) { return (void)fd, true; }

// Directly, or among those that an epoll descriptor watches.
static bool is_for_clients(int fd) {
    return !is_inside_socket(fd) ||
           (tslrt_channel_epoll(fd, any_socket) && !tslrt_channel_epoll(fd, is_inside_socket));
}

// A server is not deadlocked because nobody asks it for anything.
bool tslrt_waits_for_client(void) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        for (unsigned long k = 0; f->state == FIBER_LIVE && f->io && k < f->io->n; k++)
            if (is_for_clients(f->io->fds[k].fd))
                return true;
    }
    return false;
}

static bool waits_for_outside(const tslrt_fiber *f) {
    for (unsigned long i = 0; i < f->io->n; i++)
        if (is_outside(f->io->fds[i].fd) && !tslrt_channel_epoll(f->io->fds[i].fd, is_inside))
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

// A child of the program that has not ended, also of posix_spawn, popen or system, which fork inside of libc.
static bool has_children(void) {
    enum child any = ask_for(P_ALL, 0);
    RUN->had_children |= any != CHILD_NONE;
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
    if (tslrt->kind != RT_SERVED || !RUN->had_children)
        return false;
    return tslrt_children((unsigned)tslrt_sys0(SYS_getppid), pids, 2) > 1; // one is this run
}

// A process that the program forked may hear from any other that came of it, also when its parent has gone: the server ends
// it with the run.
static bool has_relatives(void) { return tslrt->kind == RT_CHILD; }

// Named semaphores are the run's own, but the program believes that it shares them.
bool tslrt_is_shared(const void *object) {
    const tslrt_registry *reg = tslrt_reg();
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (reg->maps[i].shared && (uintptr_t)object - reg->maps[i].addr < reg->maps[i].len)
            return true;
    return (uintptr_t)object - (uintptr_t)reg->sems < sizeof reg->sems;
}

// Conditions, barriers, futexes and named semaphores do not hear of what another process does, so that
// a thread which waits for one then may wait for nothing but that.
bool tslrt_waits_for_process(void) {
    for (unsigned i = 0; RUN->had_children && i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && tslrt_is_shared(f->pend.object))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- signals

static bool waits_for_signal(const tslrt_fiber *f) {
    return f->pend.kind == TSL_EV_PAUSE || tslrt_is_signal(f->pend.object);
}

// A handler may post a semaphore or write to a pipe; some signal a condition, though they may not.
static bool handler_may_help(const tslrt_fiber *f) {
    return waits_for_signal(f) || f->pend.kind == TSL_EV_SEM_WAIT || f->waits_for || f->io;
}

static bool is_handled(int sig) { return (uintptr_t)tslrt_reg()->signal_actions[sig].handler > 1; }

static uint64_t awaited_by_any(void) {
    uint64_t wanted = 0;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && tslrt_is_signal(f->pend.object))
            wanted |= f->awaited;
    }
    return wanted;
}

static bool expects_signals(void) {
    bool may_come = tslrt->moved_from_outside || RUN->flags & TSL_TRACE_FORKED || has_relatives();
    for (int sig = 1; may_come && sig <= 64; sig++)
        if (is_handled(sig))
            return true;
    return may_come && awaited_by_any();
}

// A descriptor of a timer that is set, if it is the one that expires first.
static bool note_timer(int fd) {
    struct itimerspec left;
    if (tslrt_sys2(SYS_timerfd_gettime, fd, &left) != 0)
        return true;
    uint64_t ns = (uint64_t)left.it_value.tv_sec * 1000000000u + (uint64_t)left.it_value.tv_nsec;
    if (ns && (RUN->next_timer < 0 || ns < RUN->next_timer_ns)) {
        RUN->next_timer = fd;
        RUN->next_timer_ns = ns;
    }
    return true;
}

// The first of those that somebody waits for expires now: nothing else can happen before that.
static void bring_timer_descriptors(void) {
    struct itimerspec soon;
    RUN->next_timer = -1;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        for (unsigned long n = 0; f->state == FIBER_LIVE && f->io && n < f->io->n; n++) {
            note_timer(f->io->fds[n].fd);
            tslrt_channel_epoll(f->io->fds[n].fd, note_timer);
        }
    }
    if (RUN->next_timer < 0 || tslrt_sys2(SYS_timerfd_gettime, RUN->next_timer, &soon) != 0)
        return;
    soon.it_value = (struct timespec){.tv_nsec = 1};
    tslrt_sys4(SYS_timerfd_settime, RUN->next_timer, 0, &soon, NULL);
}

// Time passes until the next timer, if that is for anybody.
static void bring_timers(void) {
    tslrt_timers_bring(tslrt_reg()->handled | awaited_by_any());
    bring_timer_descriptors();
}

static bool all_block(int sig) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && !tslrt_signal_is_blocked(f, sig))
            return false;
    }
    return true;
}

// Somebody waits for a signal, and the next one is of a timer that nothing handles.  Threads that wait for each other are a
// deadlock, whatever ends it.
static void end_by_timer(void) {
    bool waits = false;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        waits |= f->state == FIBER_LIVE && waits_for_signal(f);
        if (f->state == FIBER_LIVE && f->io && waits_for_outside(f))
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

// To a thread that waits for a signal, if one does not block it, else to any that does not.
static tslrt_fiber *receiver_of(int sig) {
    tslrt_fiber *any = NULL;
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state != FIBER_LIVE || tslrt_signal_is_blocked(f, sig))
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
    to->signals |= 1ull << (sig - 1);
    tslrt_set_enabled(to, true);
}

static void hand_on(void) {
    while (RUN->arrived) {
        int sig = __builtin_ctzll(RUN->arrived) + 1;
        RUN->arrived &= RUN->arrived - 1;
        arrives(sig);
    }
}

// Signals that everybody blocks are taken from the kernel, others interrupt the wait.
static void wait_a_moment(void) {
    uint64_t wanted = awaited_by_any();
    struct timespec moment = {.tv_nsec = MOMENT_NS};
    long got = tslrt_sys4(SYS_rt_sigtimedwait, &wanted, NULL, &moment, 8);
    if (got > 0)
        RUN->arrived |= 1ull << (got - 1);
}

// ---------------------------------------------------------------- all of it

static bool goes_on(tslrt_fiber *f, bool others) {
    bool can = f->io ? tslrt_io_ready(f) : others && tslrt_can_run(f);
    if (can)
        tslrt_set_enabled(f, true);
    return can;
}

static bool hopes(const tslrt_fiber *f, bool others, bool signals) {
    return (f->io && (others || waits_for_outside(f))) || (signals && handler_may_help(f)) ||
           (others && waits_for_signal(f)) || (others && tslrt_is_shared(f->pend.object));
}

// Until `only` can go on, or if that is NULL, anybody.
static bool await_outside(const tslrt_fiber *only) {
    for (unsigned moment = 0; moment < MOMENTS; moment++) {
        bool hope = false, others = has_children() || has_orphans() || has_relatives();
        bool signals = expects_signals();
        moment = others ? 0 : moment;
        RUN->moment = moment;
        for (unsigned i = 0; i < RUN->nfibers; i++) {
            tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
            if (f->state != FIBER_LIVE || (only && f != only))
                continue;
            if (goes_on(f, RUN->had_children || others))
                return true;
            hope |= hopes(f, others, signals);
        }
        hand_on();
        if (only ? tslrt_can_run(only) : RUN->nenabled > 0)
            return true;
        bool idle = only ? only == SELF && RUN->nenabled == SELF->enabled : RUN->nenabled == 0;
        if (idle && !others && !tslrt_timers_set(tslrt_reg()->handled | awaited_by_any()))
            end_by_timer();
        if (!hope || (only && only->io && only->io->ready && RUN->nenabled > 0))
            return false;
        bring_timers();
        wait_a_moment();
    }
    return false;
}

bool tslrt_await_outside(const tslrt_fiber *only) {
    RUN->patient = true;
    bool came = await_outside(only);
    RUN->patient = false;
    return came;
}
