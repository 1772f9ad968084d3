#!/usr/bin/env python3
"""Every cancellation point, called by a thread that is cancelled: a table, and a program for each row.

    tests/cancel/points.py [NAME]...

A row says how to call the function so that it would wait for ever, or return at once, and whether it must act upon a
request or may.  The thread writes before and behind the call.  For each program `optimal` must run as many
partial orders as `dfs` sees, both must end by themselves, and what the thread came to must be as POSIX has it:

    it waits for ever      it is cancelled at the call, always
    it returns             it is cancelled at the call, or came through it
    with the request there before the call    it must be cancelled at the call (or may, where it only may)

Prints TAP.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Failed, Tap, campaign, work_folder  # noqa: E402


# name: (declarations, set-up in main, the call, how it goes, must or may)
WAITS, RETURNS = "waits", "returns"
POINTS = {
    "pthread_testcancel": ("", "", "pthread_testcancel()", RETURNS, "must"),
    "sem_wait": ("sem_t s;", "sem_init(&s, 0, 0)", "sem_wait(&s)", WAITS, "must"),
    "sem_wait, a unit": ("sem_t s;", "sem_init(&s, 0, 1)", "sem_wait(&s)", RETURNS, "must"),
    "sem_timedwait": ("sem_t s;", "sem_init(&s, 0, 0)", "sem_timedwait(&s, &later)", RETURNS, "must"),
    "sem_clockwait": ("sem_t s;", "sem_init(&s, 0, 1)", "sem_clockwait(&s, CLOCK_MONOTONIC, &later)", RETURNS, "must"),
    "pthread_cond_wait": ("pthread_mutex_t m; pthread_cond_t c;", "", "WITH_LOCK(pthread_cond_wait(&c, &m))", WAITS, "must"),
    "pthread_cond_timedwait": ("pthread_mutex_t m; pthread_cond_t c;", "", "WITH_LOCK(pthread_cond_timedwait(&c, &m, &later))",
                               RETURNS, "must"),
    "pthread_cond_clockwait": ("pthread_mutex_t m; pthread_cond_t c;", "",
                               "WITH_LOCK(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &later))", RETURNS, "must"),
    "cnd_wait": ("pthread_mutex_t m; pthread_cond_t c;", "", "WITH_LOCK(cnd_wait((cnd_t *)&c, (mtx_t *)&m))", WAITS, "must"),
    "pthread_join": ("", "", "pthread_join(main_thread, NULL)", WAITS, "must"),
    "pthread_timedjoin_np": ("", "", "pthread_timedjoin_np(main_thread, NULL, &later)", RETURNS, "must"),
    "sleep": ("", "", "sleep(1)", RETURNS, "must"),
    "usleep": ("", "", "usleep(1)", RETURNS, "must"),
    "nanosleep": ("", "", "nanosleep(&later, NULL)", RETURNS, "must"),
    "clock_nanosleep": ("", "", "clock_nanosleep(CLOCK_MONOTONIC, 0, &later, NULL)", RETURNS, "must"),
    "thrd_sleep": ("", "", "thrd_sleep(&later, NULL)", RETURNS, "must"),
    "pause": ("", "", "pause()", WAITS, "must"),
    "sigwait": ("sigset_t set; int got;", "sigemptyset(&set); sigaddset(&set, SIGUSR1)", "sigwait(&set, &got)", WAITS, "must"),
    "sigsuspend": ("sigset_t set;", "sigemptyset(&set)", "sigsuspend(&set)", WAITS, "must"),
    "open": ("", "", 'open("/dev/null", O_RDONLY)', RETURNS, "must"),
    "write, a file": ("int null;", 'null = open("/dev/null", O_RDWR)', 'write(null, "x", 1)', RETURNS, "must"),
    "read, a file": ("int null; char b;", 'null = open("/dev/null", O_RDWR)', "read(null, &b, 1)", RETURNS, "must"),
    "fsync": ("int null;", 'null = open("/dev/null", O_RDWR)', "fsync(null)", RETURNS, "must"),
    "msync": ("", "", "msync(NULL, 0, MS_SYNC)", RETURNS, "must"),
    "tcdrain": ("", "", "tcdrain(-1)", RETURNS, "must"),
    "waitpid": ("", "", "waitpid(-1, NULL, WNOHANG)", RETURNS, "must"),
    "fputs": ("", "", 'fputs("", stderr)', RETURNS, "may"),
    "fflush": ("", "", "fflush(stdout)", RETURNS, "may"),
}
# Where a descriptor is used nothing is called complete: only that it ends, and how.
WEAKER = {
    "read, a pipe": ("int p[2]; char b;", "pipe(p)", "read(p[0], &b, 1)", WAITS, "must"),
    "poll": ("struct pollfd f;", "int p[2]; pipe(p); f = (struct pollfd){.fd = p[0], .events = POLLIN}", "poll(&f, 1, -1)",
             WAITS, "must"),
}

PROGRAM = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static %(declarations)s
static struct timespec later = {1, 0};
static pthread_t main_thread;
static sem_t asked;
static _Atomic int before, behind;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }
#define WITH_LOCK(call) do { pthread_mutex_lock(&m); pthread_cleanup_push(unlock, &m); call; pthread_cleanup_pop(1); } while (0)

static void *worker(void *arg) {
    (void)unlock;
    if (%(early)d) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        sem_wait(&asked);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    before = 1;
    %(call)s;
    behind = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    main_thread = pthread_self();
    sem_init(&asked, 0, 0);
    %(setup)s;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    sem_post(&asked);
    pthread_join(thread, &value);
    assert(before || value == PTHREAD_CANCELED);
    assert(behind == (value != PTHREAD_CANCELED));
    assert(%(holds)s);
    return 0;
}
"""


def wanted(how, must, early):
    if how == WAITS or (early and must == "must"):
        return "!behind"
    return "1"


def check(row, early, exact):
    declarations, setup, call, how, must = row
    text = PROGRAM % {
        "declarations": declarations or "int unused __attribute__((unused));",
        "setup": setup or "(void)0",
        "call": call,
        "early": early,
        "holds": wanted(how, must, early),
    }
    with work_folder() as folder:
        source = folder / "point.c"
        source.write_text(text)
        seen = {s: campaign(source, "--strategy", s, "-n", "300000", "-t", "60", timeout=150) for s in ("optimal", "dfs")}
    for strategy, answer in seen.items():
        if answer["bugs"]:
            raise Failed(f"{strategy}: {json.dumps(answer)[:1500]}")
        if answer["extent"] != "complete" and exact:
            raise Failed(f"{strategy}: {answer['extent']}")
    orders = [seen[s]["traces"] for s in ("optimal", "dfs")]
    if exact and orders[0] != orders[1]:
        raise Failed(f"optimal ran {orders[0]} partial orders, dfs saw {orders[1]}")
    if not early and how == RETURNS and orders[0] < 2:
        raise Failed(f"only {orders[0]} partial orders")


def main():
    tap = Tap()
    for rows, exact in ((POINTS, True), (WEAKER, False)):
        for name, row in rows.items():
            for early in (0, 1) if name in (sys.argv[1:] or [name]) else ():
                tap.check(f"{name}{', asked before' if early else ''}", check, row, early, exact)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
