"""Limits that a program sets for itself: what the runtime needs is no bug of the program."""

HEAD = """#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
static shared x;
static void *f(void *a) { x++; printf("%d\\n", 1); fflush(stdout); return NULL; }
static int work(void) {
    THREAD(t, f, 0);
    THREAD(u, f, 0);
    JOIN(t);
    JOIN(u);
    char *p = malloc(100000);
    memset(p, 1, 100000);
    printf("%d\\n", p[99999]);
    return x == 2 && p[99999] == 1 && fflush(stdout) == 0 ? 1 : 2;
}
static int limit(int what, long to) {
    struct rlimit r = {to, to};
    return setrlimit(what, &r);
}
"""
LIMITS = (
    # what, the value, does the search say that it is not applied?
    ("FSIZE", 0, True),
    ("AS", 0, True),
    ("AS", 1 << 28, True),
    ("DATA", 0, True),
    ("CPU", 0, True),
    ("CPU", 1, True),
    ("STACK", 4096, False),
    ("NPROC", 0, False),
    ("NOFILE", 3, False),
    ("MEMLOCK", 0, False),
    ("RTTIME", 1, False),
    ("SIGPENDING", 0, False),
)
FILES = """int main(void) {
    int p[2];
    char b[4];
    limit(RLIMIT_NOFILE, 5);
    int fd = open("%s", O_RDONLY);
    if (fd != 3 || read(fd, b, 4) < 0)
        return 2;
    close(fd);
    if (pipe(p) || p[0] != 3 || p[1] != 4)
        return 3;
    return open("/dev/null", O_RDONLY) == -1 && errno == EMFILE ? 1 : 4;
}"""


def rows():
    for what, to, weaker in LIMITS:
        weaker = ("uncontrolled",) if weaker else ()
        yield f"{what} {to}", HEAD + f"int main(void) {{ return limit(RLIMIT_{what}, {to}) ? 3 : work(); }}", {1}, *weaker
    yield "FSIZE, by a raw system call", HEAD + (
        "int main(void) { struct rlimit r = {0, 0}; return syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, &r, NULL) ? 3 : work(); }"), {1}, "uncontrolled"
    yield "FSIZE, of the process by its number", HEAD + (
        "int main(void) { struct rlimit r = {0, 0}; return prlimit(getpid(), RLIMIT_FSIZE, &r, NULL) ? 3 : work(); }"), {1}, "uncontrolled"
    yield "what was set is told", HEAD + (
        "int main(void) { struct rlimit r = {5, 7}, s = {6, 6}, old; setrlimit(RLIMIT_AS, &r); getrlimit(RLIMIT_AS, &r);"
        " prlimit(0, RLIMIT_AS, &s, &old); getrlimit(RLIMIT_AS, &s);"
        " return r.rlim_cur == 5 && r.rlim_max == 7 && old.rlim_cur == 5 && old.rlim_max == 7 && s.rlim_cur == 6; }"), {1}, "uncontrolled"
    yield "more than the most", HEAD + (
        "int main(void) { struct rlimit r = {7, 5}; return setrlimit(RLIMIT_CPU, &r) == -1 && errno == EINVAL; }"), {1}
    yield "what is there already", HEAD + (
        "int main(void) { struct rlimit r; getrlimit(RLIMIT_FSIZE, &r); return setrlimit(RLIMIT_FSIZE, &r) ? 3 : work(); }"), {1}
    for path in ("/dev/null", "/dev/urandom", "/etc/passwd"):
        yield f"five descriptors, {path}", HEAD + FILES % path, {1}
