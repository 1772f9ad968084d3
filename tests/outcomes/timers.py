"""Timers whose signal nothing handles, and those that somebody waits for."""

THREAD = "static void *f(void *a) { %s; return NULL; }\n"
TIMER = "timer_t timer; struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1}; timer_create(CLOCK_MONOTONIC, &e, &timer);" \
    " struct itimerspec v = {.it_value = {5, 0}}; timer_settime(timer, 0, &v, NULL)"
SETS = (
    ("alarm", "SIGALRM", "alarm(5)"),
    ("ualarm", "SIGALRM", "ualarm(500000, 0)"),
    ("setitimer", "SIGALRM", "struct itimerval v = {.it_value = {5, 0}}; setitimer(ITIMER_REAL, &v, NULL)"),
    ("timer_create", "SIGUSR1", TIMER),
)
WAITS = (
    ("pause", "pause()"),
    ("poll", "poll(NULL, 0, -1)"),
    ("sigwait", "int s; sigset_t w; sigemptyset(&w); sigaddset(&w, SIGUSR2); sigwait(&w, &s)"),
    ("sigsuspend", "sigset_t w; sigemptyset(&w); sigsuspend(&w)"),
)


def rows():
    for name, sig, sets in SETS:
        for wait, call in WAITS:
            yield f"{name}, {wait}", "int main(void) { block(SIGUSR2); %s; %s; return 1; }" % (sets, call), {f"crash {sig}"}
        yield f"{name}, a thread that pauses", THREAD % "pause()" + "int main(void) { THREAD(t, f, 0); %s; JOIN(t); return 1; }" % sets, {f"crash {sig}"}
        yield f"{name}, ignored", "int main(void) { signal(%s, SIG_IGN); %s; pause(); return 1; }" % (sig, sets), {"deadlock"}
        yield f"{name}, blocked by all", "int main(void) { block(%s); %s; pause(); return 1; }" % (sig, sets), {"deadlock"}
        yield f"{name}, handled", "static shared x; static void h(int s) { x = 1; } int main(void) { signal(%s, h); %s; pause(); return x; }" % (sig, sets), {1}
        yield f"{name}, waited for", "int main(void) { int s; block(%s); %s; sigwait(&set, &s); return s == %s; }" % (sig, sets, sig), {1}
        yield f"{name}, ends read", (
            "static void h(int s) {} int main(void) { int p[2]; char b; pipe(p); struct sigaction a = {.sa_handler = h}; sigaction(%s, &a, NULL);"
            " %s; return read(p[0], &b, 1) == -1 && errno == EINTR ? 1 : 2; }" % (sig, sets)), {1}
        yield f"{name}, threads wait for each other", (
            "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"
            "static void *f(void *a) { LOCK(n); LOCK(m); UNLOCK(m); UNLOCK(n); return NULL; }"
            "int main(void) { %s; THREAD(t, f, 0); LOCK(m); LOCK(n); UNLOCK(n); UNLOCK(m); JOIN(t); return 3; }" % sets), {3, "deadlock"}
    yield "alarm, taken back", "int main(void) { alarm(1); alarm(0); pause(); return 1; }", {"deadlock"}
    yield "alarm, what is left", "int main(void) { alarm(9); return alarm(0); }", {9}
