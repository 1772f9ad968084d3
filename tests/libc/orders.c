// Calls of libc whose order decides what comes out: the rows of orders.def, or of another TABLE.
//
//     orders              under Teasel: one of the rows, by two threads; the status is 1 + 2 * row + what came out
//     orders expect       prints the two statuses of each row that both come out when the real functions are called one way
//                         round and the other, in a process of its own each
//     orders apart        under Teasel: what belongs to one thread only; fails if another one sees it
#include <dirent.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <langinfo.h>
#include <locale.h>
#include <mntent.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

#ifndef TABLE
#define TABLE "orders.def"
#endif

#ifdef TEASEL
#include "teasel.h"
#else
static unsigned teasel_choose(unsigned n) { return n - n; }
#endif

extern int _nl_msg_cat_cntr;
static char text[256], more[256], *p, *others[] = {"ZZ=1", NULL};
static FILE *f;
static int got, at, sign;
static time_t moment;
static struct tm day = {.tm_mday = 1, .tm_year = 70};
static struct mntent mount;
static struct dirent entries[2];
static pthread_t self;
static wchar_t wide[64], *rest;
static struct hsearch_data table;
static ENTRY *kept;
static void *tree;
static char **slot; // the key in a node of it
static DIR *folder;
static struct dirent *entry;

static FILE *text_file(const char *content) {
    int fd = memfd_create("text", 0);
    bool written = write(fd, content, strlen(content)) >= 0 && lseek(fd, 0, SEEK_SET) == 0;
    return written ? fdopen(fd, "r+") : NULL;
}
static FILE *empty(void) { return text_file(""); }

static int by_address(const void *a, const void *b) { return (a > b) - (a < b); }

// libc knows one time zone, and the environment names another.
static void zones(void) {
    setenv("TZ", "AAA1", 1);
    tzset();
    setenv("TZ", "BBB2CCC", 1);
}

#define ORDER(name, setup, one, ...)                                                               \
    static void setup_##name(void) setup static void one_##name(void)                              \
        one static void other_##name(void) __VA_ARGS__
#include TABLE
#undef ORDER

static const struct {
    void (*setup)(void), (*one)(void), (*other)(void);
} rows[] = {
#define ORDER(name, setup, one, ...) {setup_##name, one_##name, other_##name},
#include TABLE
#undef ORDER
};
enum { ROWS = sizeof rows / sizeof *rows };

static void *run(void *row) {
    ((void (*)(void))row)();
    return NULL;
}

// ---------------------------------------------------------------- one after the other

static int outcome(unsigned i, bool first) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        rows[i].setup();
        (first ? rows[i].one : rows[i].other)();
        (first ? rows[i].other : rows[i].one)();
        _exit(got != 0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int expect(void) {
    for (unsigned i = 0; i < ROWS; i++)
        if (outcome(i, true) == 1 && outcome(i, false) == 0)
            dprintf(1, "%u\n%u\n", 1 + 2 * i, 2 + 2 * i);
        else
            dprintf(1, "row %u is wrong\n", i);
    return 0;
}

// ---------------------------------------------------------------- what each thread has of its own

static void *look(void *wrong) {
    if (fegetround() != FE_TONEAREST || uselocale((locale_t)0) != LC_GLOBAL_LOCALE ||
        fetestexcept(FE_OVERFLOW))
        *(int *)wrong = 1;
    return NULL;
}

static int apart(void) {
    pthread_t other;
    int wrong = 0;
    pthread_create(&other, NULL, look, &wrong);
    fesetround(FE_UPWARD);
    feraiseexcept(FE_OVERFLOW);
    uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0));
    pthread_yield();
    wrong |= fegetround() != FE_UPWARD || uselocale((locale_t)0) == LC_GLOBAL_LOCALE;
    pthread_join(other, NULL);
    return wrong;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return argv[1][0] == 'e' ? expect() : apart();
    pthread_t other;
    unsigned i = teasel_choose(ROWS);
    rows[i].setup();
    pthread_create(&other, NULL, run, (void *)rows[i].other);
    rows[i].one();
    pthread_join(other, NULL);
    _exit(1 + 2 * (int)i + (got != 0));
}
