// Waiting for several descriptors: poll, select, epoll.
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "../notes.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "time.h"

// Takes a step that waits for any of the descriptors.  With a time limit the step is always
// enabled: if no descriptor is ready then, the time was up.
static void wait_any(struct pollfd *fds, unsigned long n, bool forever) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    if (n > TSLRT_MAX_POLL)
        tslrt_say("poll of more than %u descriptors: while it waits, no thread runs",
                  TSLRT_MAX_POLL);
    tslrt_io io = {.fds = fds, .n = n, .ends = true};
    bool one = n == 1 && (fds->events == POLLIN || fds->events == POLLOUT) &&
               tslrt_channel_of(fds->fd, fds->events == POLLOUT);
    if (one)
        io_step_on_descriptor(fds->fd, fds->events, forever, true, site);
    else if (n > 0)
        io_step(forever ? &io : NULL, site);
    else
        tslrt_sleep_step(site);
}

// Without descriptors and without a time limit only a signal ends the call.
static bool is_pause(unsigned long n, int64_t ns) { return n == 0 && ns < 0 && io_is_controlled(); }

static void pass_time(int64_t ns) {
    tslrt_clock_pass((uint64_t)ns);
    tslrt_yielded();
}

static int poll_for(struct pollfd *fds, nfds_t n, int64_t ns) {
    bool controlled = io_is_controlled();
    if (is_pause(n, ns))
        return tslrt_suspend(NULL, TSL_HOT->call_site);
    if (controlled)
        wait_any(fds, n, ns < 0);
    if (controlled && io_was_interrupted())
        return (int)io_done(-EINTR);
    bool asks_kernel = n > TSLRT_MAX_POLL && ns < 0;
    long got = asks_kernel ? tslrt_sys5(SYS_ppoll, fds, n, NULL, NULL, 8) : io_polled(fds, n);
    tslrt_wrote(fds, n * sizeof *fds);
    if (controlled)
        tslrt_also_range(TSL_EV_WRITE, fds, n * sizeof *fds);
    if (got == 0 && ns > 0)
        pass_time(ns);
    return (int)io_done(got);
}

static void also_reads(const struct timespec *time, const sigset_t *mask) {
    if (!io_is_controlled())
        return;
    tslrt_call_reads(time, sizeof *time, SELF->pend.site);
    tslrt_call_reads(mask, sizeof(uint64_t), SELF->pend.site);
}

static int64_t in_ns(const struct timespec *time) {
    return time ? time->tv_sec * 1000000000ll + time->tv_nsec : -1;
}

API int poll(struct pollfd *fds, nfds_t n, int ms) {
    return poll_for(fds, n, ms < 0 ? -1 : ms * 1000000ll);
}

static bool begins(const sigset_t *mask, uint32_t site) {
    uint64_t bits = mask ? *(const uint64_t *)mask : 0;
    bool ended = mask && io_is_controlled() && tslrt_wait_begins(&bits, site);
    TSL_HOT->call_site = site;
    return ended;
}

static int ends(const sigset_t *mask, int result, uint32_t site) {
    int kept = errno;
    if (mask && io_is_controlled())
        tslrt_wait_ends(site);
    errno = kept;
    return result;
}

API int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask) {
    uint32_t site = TSL_HOT->call_site;
    if (mask && is_pause(n, in_ns(time)))
        return tslrt_suspend((const uint64_t *)mask, site);
    if (begins(mask, site))
        return ends(mask, (int)io_done(-EINTR), site);
    int result = poll_for(fds, n, in_ns(time));
    also_reads(time, mask);
    return ends(mask, result, site);
}

static unsigned long to_pollfds(struct pollfd *out, int n, const fd_set *reads,
                                const fd_set *writes, const fd_set *errors) {
    unsigned long count = 0;
    for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++) {
        short events = (short)((reads && FD_ISSET(fd, reads) ? POLLIN : 0) |
                               (writes && FD_ISSET(fd, writes) ? POLLOUT : 0) |
                               (errors && FD_ISSET(fd, errors) ? POLLPRI : 0));
        if (events)
            out[count++] = (struct pollfd){.fd = fd, .events = events};
    }
    return count;
}

static int select_for(int n, fd_set *reads, fd_set *writes, fd_set *errors, int64_t ns) {
    struct pollfd fds[FD_SETSIZE];
    unsigned long count = to_pollfds(fds, n, reads, writes, errors);
    if (is_pause(count, ns))
        return tslrt_suspend(NULL, TSL_HOT->call_site);
    wait_any(fds, count, ns < 0);
    if (io_was_interrupted())
        return (int)io_done(-EINTR);
    struct timespec none = {0};
    bool asks_kernel = count > TSLRT_MAX_POLL && ns < 0;
    long got = tslrt_sys6(SYS_pselect6, n, (long)reads, (long)writes, (long)errors,
                          asks_kernel ? 0 : (long)&none, 0);
    fd_set *const sets[] = {reads, writes, errors};
    for (unsigned i = 0; i < 3; i++)
        if (sets[i]) {
            tslrt_wrote(sets[i], sizeof *sets[i]);
            tslrt_also_range(TSL_EV_WRITE, sets[i], sizeof *sets[i]);
        }
    if (got == 0 && ns > 0)
        pass_time(ns);
    return (int)io_done(got);
}

// Linux stores how much of the time is left.
API int select(int n, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *tv) {
    int result = select_for(n, reads, writes, errors,
                            tv ? tv->tv_sec * 1000000000ll + tv->tv_usec * 1000ll : -1);
    if (tv && io_is_controlled())
        tslrt_call_writes(tv, sizeof *tv, SELF->pend.site);
    if (tv && result == 0)
        *tv = (struct timeval){0, 0};
    return result;
}

API int pselect(int n, fd_set *reads, fd_set *writes, fd_set *errors, const struct timespec *time,
                const sigset_t *mask) {
    uint32_t site = TSL_HOT->call_site;
    bool any = reads || writes || errors;
    if (mask && !any && is_pause(0, in_ns(time)))
        return tslrt_suspend((const uint64_t *)mask, site);
    if (begins(mask, site))
        return ends(mask, (int)io_done(-EINTR), site);
    int result = select_for(n, reads, writes, errors, in_ns(time));
    also_reads(time, mask);
    return ends(mask, result, site);
}

static int epoll_for(int epoll, struct epoll_event *events, int most, int ms) {
    struct pollfd one = {.fd = epoll, .events = POLLIN};
    wait_any(&one, 1, ms < 0);
    if (io_was_interrupted())
        return (int)io_done(-EINTR);
    long got = tslrt_sys6(SYS_epoll_pwait, epoll, (long)events, most, 0, 0, 8);
    if (got > 0) {
        tslrt_wrote(events, (size_t)got * sizeof *events);
        tslrt_also_range(TSL_EV_WRITE, events, (size_t)got * sizeof *events);
    }
    if (got == 0 && ms > 0)
        pass_time(ms * 1000000ll);
    return (int)io_done(got);
}

API int epoll_ctl(int epoll, int op, int fd, struct epoll_event *event) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    bool stepped = io_is_controlled() && tslrt_io_turn(site);
    long got = tslrt_sys4(SYS_epoll_ctl, epoll, op, fd, event);
    if (stepped && event && op != EPOLL_CTL_DEL)
        tslrt_call_follows(event, sizeof *event, site);
    tslrt_symbols_taken(event, sizeof *event);
    if (got == 0 && io_is_controlled())
        tslrt_channel_watched(fd);
    return (int)io_done(got);
}

API int epoll_wait(int epoll, struct epoll_event *events, int most, int ms) {
    return epoll_for(epoll, events, most, ms);
}

static int epoll_masked(int epoll, struct epoll_event *events, int most, int ms,
                        const struct timespec *time, const sigset_t *mask) {
    uint32_t site = TSL_HOT->call_site;
    if (begins(mask, site))
        return ends(mask, (int)io_done(-EINTR), site);
    int result = epoll_for(epoll, events, most, ms);
    also_reads(time, mask);
    return ends(mask, result, site);
}

API int epoll_pwait(int epoll, struct epoll_event *events, int most, int ms, const sigset_t *mask) {
    return epoll_masked(epoll, events, most, ms, NULL, mask);
}

API int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *time,
                     const sigset_t *mask) {
    int64_t ms = time ? time->tv_sec * 1000 + (time->tv_nsec + 999999) / 1000000 : -1;
    return epoll_masked(epoll, events, most, ms < INT_MAX ? (int)ms : INT_MAX, time, mask);
}
