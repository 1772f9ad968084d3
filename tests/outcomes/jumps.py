"""Jumps out of handlers, and the masks they put back."""

JUMPS = "static sigjmp_buf b; static shared x; static void h(int s) { x++; siglongjmp(b, 1); }\n"
IS_BLOCKED = "sigset_t o; pthread_sigmask(SIG_BLOCK, NULL, &o);"


def rows():
    yield "siglongjmp with the mask", JUMPS + "int main(void) { signal(SIGUSR1, h); if (!sigsetjmp(b, 1)) raise(SIGUSR1); " + IS_BLOCKED + " return 10 * x + sigismember(&o, SIGUSR1); }", {10}
    yield "siglongjmp without the mask", JUMPS + "int main(void) { signal(SIGUSR1, h); if (!sigsetjmp(b, 0)) raise(SIGUSR1); " + IS_BLOCKED + " return 10 * x + sigismember(&o, SIGUSR1); }", {11}
    yield "longjmp", "static jmp_buf b; static void h(int s) { longjmp(b, 1); } int main(void) { signal(SIGUSR1, h); if (!setjmp(b)) raise(SIGUSR1); " + IS_BLOCKED + " return 10 + sigismember(&o, SIGUSR1); }", {11}
    yield "again and again", JUMPS + "int main(void) { signal(SIGUSR1, h); sigsetjmp(b, 1); if (x < 3) raise(SIGUSR1); return x; }", {3}
    yield "the mask of the thread, not of all", JUMPS + (
        "static void *f(void *a) { block(SIGUSR2); if (!sigsetjmp(b, 1)) { pthread_sigmask(SIG_UNBLOCK, &set, NULL); siglongjmp(b, 1); } "
        + IS_BLOCKED + " return (void *)(long)sigismember(&o, SIGUSR2); } int main(void) { void *v; THREAD(t, f, 0); pthread_join(t, &v); return 1 + (long)v; }"), {2}
    for name, call, more in (("pause", "pause()", ""), ("sem_wait", "sem_wait(&s)", ""), ("a lock", "LOCK(m)", ""), ("read", "char c; read(p[0], &c, 1)", "pipe(p);")):
        yield f"out of {name}", JUMPS + (
            "static shared in; static sem_t s; static int p[2]; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
            "static void *f(void *a) { if (!sigsetjmp(b, 1)) { in = 1; %s; } return NULL; }"
            "int main(void) { sem_init(&s, 0, 0); %s LOCK(m); signal(SIGUSR1, h); THREAD(t, f, 0); while (!in) sched_yield();"
            " pthread_kill(t, SIGUSR1); JOIN(t); UNLOCK(m); return x; }" % (call, more)), {1}
    yield "out of sigsuspend", JUMPS + (
        "static void *f(void *a) { sigset_t none; sigemptyset(&none); if (!sigsetjmp(b, 1)) sigsuspend(&none); " + IS_BLOCKED
        + " return (void *)(long)sigismember(&o, SIGUSR1); } int main(void) { void *v; signal(SIGUSR1, h); block(SIGUSR1); THREAD(t, f, 0);"
        " pthread_kill(t, SIGUSR1); pthread_join(t, &v); return x * 2 + (long)v; }"), {3}
    yield "a pending signal comes when the jump opens the mask", (
        "static sigjmp_buf b; static shared x; static void h(int s) { x++; } int main(void) { signal(SIGUSR1, h); if (!sigsetjmp(b, 1)) {"
        " block(SIGUSR1); raise(SIGUSR1); if (x == 0) siglongjmp(b, 1); } return x; }"), {1}
    yield "before main", "static int r; __attribute__((constructor)) static void c(void) { jmp_buf b; if (!setjmp(b)) longjmp(b, 1); r = 4; } int main(void) { return r; }", {4}
    yield "out of a fault", "static sigjmp_buf b; static volatile int n; static void h(int s) { n++; siglongjmp(b, 1); } int main(void) { signal(SIGSEGV, h); for (int i = 0; i < 2; i++) if (!sigsetjmp(b, 1)) *(volatile int *)8 = 1; return n; }", {2}
