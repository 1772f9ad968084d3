"""What comes with a signal, which of several is taken, what a handler interrupts, old interfaces, masks of calls and attributes."""

COUNT = "static shared x;\nstatic void h(int sig) { x = x * 2 + 1; }\n"
NOTHING = "static shared x;\nstatic void h(int sig) {}\n"
TOLD = (
    "static shared n;\nstatic void h(int sig, siginfo_t *i, void *c) {"
    " n = i->si_code == SI_TKILL ? 1 : i->si_code == SI_USER ? 2 : i->si_code == SI_QUEUE ? i->si_value.sival_int : 9;"
    " if (i->si_pid == getpid() && i->si_signo == sig) n += 64; }\n"
    "static void handle(void) { struct sigaction a = {.sa_sigaction = h, .sa_flags = SA_SIGINFO}; sigaction(SIGUSR1, &a, NULL); }\n"
)
SPINS = "static void *spins(void *a) { while (!n) sched_yield(); return NULL; }\n"


def info():
    yield "siginfo of raise", TOLD + "int main(void) { handle(); raise(SIGUSR1); return n; }", {65}
    yield "siginfo of kill", TOLD + "int main(void) { handle(); kill(getpid(), SIGUSR1); return n; }", {66}
    yield "siginfo of pthread_kill", TOLD + SPINS + "int main(void) { handle(); THREAD(t, spins, 0); pthread_kill(t, SIGUSR1); JOIN(t); return n; }", {65}
    yield "siginfo of sigqueue", TOLD + "int main(void) { handle(); sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42}); return n; }", {106}
    yield "siginfo of pthread_sigqueue", TOLD + SPINS + (
        "int main(void) { handle(); THREAD(t, spins, 0); pthread_sigqueue(t, SIGUSR1, (union sigval){.sival_int = 42}); JOIN(t); return n; }"), {106}
    for sig in ("SIGUSR1", "SIGRTMIN"):
        yield f"{sig}, value to sigwaitinfo", (
            "int main(void) { block(%s); sigqueue(getpid(), %s, (union sigval){.sival_int = 42}); siginfo_t i; sigwaitinfo(&set, &i);"
            " return i.si_code == SI_QUEUE ? i.si_value.sival_int : 99; }" % (sig, sig)), {42}
        yield f"{sig}, two senders to a thread", (
            "static pthread_t m; static void *f(void *a) { pthread_sigqueue(m, %s, (union sigval){.sival_int = (int)(long)a}); return NULL; }"
            "int main(void) { m = pthread_self(); block(%s); THREAD(t, f, 1); THREAD(u, f, 2); siginfo_t i; sigwaitinfo(&set, &i);"
            " JOIN(t); JOIN(u); return i.si_value.sival_int; }" % (sig, sig)), {1, 2}
        yield f"{sig}, two senders to the process", (
            "static void *f(void *a) { sigqueue(getpid(), %s, (union sigval){.sival_int = (int)(long)a}); return NULL; }"
            "int main(void) { block(%s); THREAD(t, f, 1); THREAD(u, f, 2); JOIN(t); JOIN(u); siginfo_t i; sigwaitinfo(&set, &i);"
            " return i.si_value.sival_int; }" % (sig, sig)), {1, 2}
        yield f"{sig}, with a value and without", (
            "static pthread_t m; static void *f(void *a) { pthread_sigqueue(m, %s, (union sigval){.sival_int = 7}); return NULL; }"
            "static void *g(void *a) { pthread_kill(m, %s); return NULL; }"
            "int main(void) { m = pthread_self(); block(%s); THREAD(t, f, 1); THREAD(u, g, 2); JOIN(t); JOIN(u); siginfo_t i;"
            " sigwaitinfo(&set, &i); return i.si_code == SI_QUEUE ? 7 : 1; }" % (sig, sig, sig)), {1, 7}


def queues():
    yield "real-time signals are a queue", (
        "int main(void) { block(SIGRTMIN); siginfo_t i; int r = 0; for (int k = 1; k < 4; k++)"
        " sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = k}); for (int k = 0; k < 3; k++) {"
        " sigwaitinfo(&set, &i); r = r * 4 + i.si_value.sival_int; } return r; }"), {27}
    two = ("static int r; static void *f(void *a) { int sig; for (int k = 0; k < 2; k++) { sigwait(&set, &sig); r++; } return NULL; }"
           "int main(void) { block(%s); THREAD(t, f, 0); pthread_kill(t, %s); pthread_kill(t, %s); JOIN(t); return r; }")
    yield "two real-time signals to a thread", two % (("SIGRTMIN",) * 3), {2}
    yield "two ordinary signals to a thread", two % (("SIGUSR1",) * 3), {2, "deadlock"}
    yield "queue of two threads", (
        "static void *f(void *a) { for (int k = 0; k < 2; k++) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 2 * (int)(long)a + k}); return NULL; }"
        "int main(void) { block(SIGRTMIN); THREAD(t, f, 0); THREAD(u, f, 1); JOIN(t); JOIN(u); int r = 0; for (int k = 0; k < 4; k++) {"
        " siginfo_t i; sigwaitinfo(&set, &i); r = r * 4 + i.si_value.sival_int; } return r; }"), {int(w, 4) for w in ("0123", "0213", "0231", "2013", "2031", "2301")}
    yield "handler of a queue", (
        "static shared n; static void h(int s) { n++; } int main(void) { signal(SIGRTMIN, h); block(SIGRTMIN);"
        " for (int k = 0; k < 3; k++) raise(SIGRTMIN); sigprocmask(SIG_UNBLOCK, &set, NULL); return n; }"), {3}
    yield "lowest first", (
        "int main(void) { block(SIGRTMIN); sigaddset(&set, SIGRTMIN + 1); sigprocmask(SIG_BLOCK, &set, NULL); raise(SIGRTMIN + 1);"
        " raise(SIGRTMIN); int a, b; sigwait(&set, &a); sigwait(&set, &b); return 1 + (a - SIGRTMIN) * 2 + (b - SIGRTMIN); }"), {2}


SUSPEND = "static void *f(void *a) { sigset_t none; sigemptyset(&none); %s; return NULL; }\n"


def waits():
    for name, call in (("pselect", "pselect(0, NULL, NULL, NULL, NULL, &none)"), ("ppoll", "ppoll(NULL, 0, NULL, &none)"),
                       ("sigsuspend", "sigsuspend(&none)"), ("sigpause", "sigpause(SIGUSR1)")):
        yield f"{name} opens the mask and waits", COUNT + "static shared r;" + SUSPEND % (f"r = {call} == -1 && errno == EINTR") + (
            "int main(void) { signal(SIGUSR1, h); block(SIGUSR1); THREAD(t, f, 0); pthread_kill(t, SIGUSR1); JOIN(t); return x * 2 + r; }"), {3}
        yield f"{name} twice, the second signal while the handler of the first runs", "static shared x; static void h(int s) { x++; }" + SUSPEND % (f"{call}; {call}") + (
            "int main(void) { signal(SIGUSR1, h); block(SIGUSR1); THREAD(t, f, 0); pthread_kill(t, SIGUSR1); while (x < 1) sched_yield();"
            " pthread_kill(t, SIGUSR1); JOIN(t); return x; }"), {2}
    yield "ppoll of a pipe opens the mask", COUNT + "static shared r; static int p[2];" + SUSPEND % (
        "struct pollfd q = {p[0], POLLIN}; r = ppoll(&q, 1, NULL, &none) == -1 && errno == EINTR") + (
        "int main(void) { pipe(p); signal(SIGUSR1, h); block(SIGUSR1); THREAD(t, f, 0); pthread_kill(t, SIGUSR1); JOIN(t); return x * 2 + r; }"), {3}
    for name, setup, call in INTERRUPTED:
        for flags in ("0", "SA_RESTART"):
            ends = flags == "0" or name in ("poll", "poll of two", "poll of none", "select", "pause")
            if ends:
                yield f"a handler ends {name}, {flags}", NOTHING + "static int p[4]; static sem_t s;\n" + (
                    "static void *f(void *a) { %s; x = r == -1 && errno == EINTR ? 1 : 2; return NULL; }"
                    "int main(void) { struct sigaction a = {.sa_handler = h, .sa_flags = %s}; sigaction(SIGUSR1, &a, NULL); %s;"
                    " THREAD(t, f, 0); pthread_kill(t, SIGUSR1); JOIN(t); return x; }" % (call, flags, setup)), {1, "deadlock"}
    yield "a handler does not end read with SA_RESTART", NOTHING + "static int p[2];\n" + (
        "static void *f(void *a) { char b; x = read(p[0], &b, 1) == 1 ? 2 : 1; return NULL; }"
        "int main(void) { signal(SIGUSR1, h); pipe(p); THREAD(t, f, 0); pthread_kill(t, SIGUSR1); write(p[1], \"a\", 1); JOIN(t); return x; }"), {2}
    yield "pipe to itself", "static shared x; static int p[2]; static void h(int s) { write(p[1], \"a\", 1); }\n" + (
        "static void *f(void *a) { char b; while (read(p[0], &b, 1) != 1) {} x = 1; return NULL; }"
        "int main(void) { struct sigaction a = {.sa_handler = h}; sigaction(SIGUSR1, &a, NULL); pipe(p); THREAD(t, f, 0);"
        " pthread_kill(t, SIGUSR1); JOIN(t); return x; }"), {1}
    yield "interrupted, then at a lock, which is no cancellation point", NOTHING + (
        "static shared step; static sem_t s; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
        "static void *f(void *a) { if (sem_wait(&s) && errno == EINTR) { step = 1; LOCK(m); x = 1; UNLOCK(m); } return NULL; }"
        "int main(void) { struct sigaction a = {.sa_handler = h}; sigaction(SIGUSR1, &a, NULL); sem_init(&s, 0, 0); LOCK(m); THREAD(t, f, 0);"
        " pthread_kill(t, SIGUSR1); while (!step) sched_yield(); pthread_cancel(t); x = 2; UNLOCK(m); JOIN(t); return x; }"), {1, "livelock"}


INTERRUPTED = (
    ("read", "pipe(p)", "char b; long r = read(p[0], &b, 1)"),
    ("eventfd_read", "p[0] = eventfd(0, 0)", "eventfd_t v; long r = eventfd_read(p[0], &v)"),
    ("recv", "socketpair(AF_UNIX, SOCK_STREAM, 0, p)", "char b; long r = recv(p[0], &b, 1, 0)"),
    ("poll", "pipe(p)", "struct pollfd q = {p[0], POLLIN}; long r = poll(&q, 1, -1)"),
    ("poll of two", "pipe(p); pipe(p + 2)", "struct pollfd q[2] = {{p[0], POLLIN}, {p[2], POLLIN}}; long r = poll(q, 2, -1)"),
    ("poll of none", "", "long r = poll(NULL, 0, -1)"),
    ("pause", "", "long r = pause()"),
    ("sem_wait", "sem_init(&s, 0, 0)", "long r = sem_wait(&s)"),
)


def old():
    yield "sighold", COUNT + "int main(void) { signal(SIGUSR1, h); sighold(SIGUSR1); raise(SIGUSR1); int a = x; sigrelse(SIGUSR1); return 10 + a * 2 + x; }", {11}
    yield "sigset", COUNT + (
        "int main(void) { sigset(SIGUSR1, h); raise(SIGUSR1); int a = x; sigset(SIGUSR1, SIG_HOLD); raise(SIGUSR1); int b = x;"
        " sigset(SIGUSR1, h); return 100 + a * 10 + b * 5 + x; }"), {118}
    yield "sigignore", COUNT + "int main(void) { signal(SIGUSR1, h); sigignore(SIGUSR1); raise(SIGUSR1); return 10 + x; }", {10}
    yield "sysv_signal", COUNT + (
        "int main(void) { sysv_signal(SIGUSR1, h); raise(SIGUSR1); struct sigaction o; sigaction(SIGUSR1, NULL, &o); return 2 * x + (o.sa_handler == SIG_DFL); }"), {3}
    yield "sigblock", COUNT + "int main(void) { signal(SIGUSR1, h); sigblock(1 << (SIGUSR1 - 1)); raise(SIGUSR1); int a = x; sigsetmask(0); return 10 + a * 2 + x; }", {11}
    yield "siginterrupt", NOTHING + (
        "static sem_t s; static void *f(void *a) { x = sem_wait(&s) ? 2 : 1; return NULL; } int main(void) { signal(SIGUSR1, h);"
        " siginterrupt(SIGUSR1, 1); sem_init(&s, 0, 0); THREAD(t, f, 0); pthread_kill(t, SIGUSR1); sem_post(&s); JOIN(t); return x; }"), {1, 2}


def attributes():
    yield "mask in an attribute", (
        "static void *f(void *a) { sigset_t o; pthread_sigmask(SIG_BLOCK, NULL, &o); return (void *)(long)sigismember(&o, SIGUSR1); }"
        "int main(void) { void *v; pthread_attr_t a; pthread_attr_init(&a); sigaddset(&set, SIGUSR1); pthread_attr_setsigmask_np(&a, &set);"
        " pthread_t t; pthread_create(&t, &a, f, NULL); pthread_join(t, &v); return 2 + (long)v; }"), {3}
    yield "mask in an attribute, told", (
        "int main(void) { sigset_t o; pthread_attr_t a; pthread_attr_init(&a); int none = pthread_attr_getsigmask_np(&a, &o); sigaddset(&set, SIGUSR1);"
        " pthread_attr_setsigmask_np(&a, &set); int some = pthread_attr_getsigmask_np(&a, &o); int is = sigismember(&o, SIGUSR1);"
        " pthread_attr_setsigmask_np(&a, NULL); int again = pthread_attr_getsigmask_np(&a, &o);"
        " return (none == PTHREAD_ATTR_NO_SIGMASK_NP) + 2 * some + 4 * is + 8 * (again == PTHREAD_ATTR_NO_SIGMASK_NP); }"), {13}
    yield "mask in an attribute that lets a signal through", "static shared x; static void h(int s) { x = 1; }" + (
        "static void *f(void *a) { x |= 2; return NULL; } int main(void) { signal(SIGUSR1, h); block(SIGUSR1); pthread_attr_t a;"
        " pthread_attr_init(&a); sigset_t none; sigemptyset(&none); pthread_attr_setsigmask_np(&a, &none); pthread_t t;"
        " pthread_create(&t, &a, f, NULL); pthread_kill(t, SIGUSR1); JOIN(t); return x; }"), {1, 2, 3}
    yield "default attributes: stack", (
        "static void *f(void *a) { pthread_attr_t q; size_t z; pthread_getattr_np(pthread_self(), &q); pthread_attr_getstacksize(&q, &z);"
        " return (void *)(long)(z >= 16 << 20); } int main(void) { void *v; pthread_attr_t a; pthread_attr_init(&a);"
        " pthread_attr_setstacksize(&a, 16 << 20); pthread_setattr_default_np(&a); THREAD(t, f, 0); pthread_join(t, &v); return 1 + (long)v; }"), {2}
    yield "default attributes: detached", (
        "static void *f(void *a) { return NULL; } int main(void) { pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, 1);"
        " pthread_setattr_default_np(&a); THREAD(t, f, 0); return 1 + (pthread_join(t, NULL) == EINVAL); }"), {2}
    yield "default attributes: told", (
        "int main(void) { pthread_attr_t a, b; size_t y, z; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 16 << 20); pthread_setattr_default_np(&a);"
        " pthread_getattr_default_np(&b); pthread_attr_getstacksize(&b, &z); pthread_attr_init(&b); pthread_attr_getstacksize(&b, &y);"
        " return 1 + (z == 16 << 20) + 2 * (y == 16 << 20); }"), {4}
    yield "default attributes: no stack", (
        "static char stack[65536]; int main(void) { pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstack(&a, stack, sizeof stack);"
        " return 1 + (pthread_setattr_default_np(&a) == EINVAL); }"), {2}


ACTIONS = (
    # how one thread sends the signal while the other has it ignored
    ("kill", "kill(getpid(), SIGUSR1)"),
    ("raise", "raise(SIGUSR1)"),
    ("pthread_kill of itself", "pthread_kill(pthread_self(), SIGUSR1)"),
)


def ignoring():
    for name, sends in ACTIONS:
        yield f"{name} while it is set to be ignored", (
            "static void *f(void *a) { %s; return NULL; } int main(void) { THREAD(t, f, 0); signal(SIGUSR1, SIG_IGN); JOIN(t); return 1; }" % sends), {
                1, "crash SIGUSR1"}


def rows():
    yield from ignoring()
    yield "a fault while its handler is set", (
        "static void h(int s) { _exit(30); } static void *f(void *a) { *(volatile int *)0 = 1; return NULL; }"
        "int main(void) { THREAD(t, f, 0); signal(SIGSEGV, h); JOIN(t); return 1; }"), {30, "crash SIGSEGV"}, "interruption"
    for part in (info, queues, waits, old, attributes):
        yield from part()
