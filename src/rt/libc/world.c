// What a program learns about the world around it, made the same in every run.
//
// Resources used, load, uptime and process ids follow from virtual time or are fixed; names of
// temporary files are numbered.  What can't be made the same weakens the claim: see varies.c.
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <unistd.h>

#include "../quick.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"

static bool is_controlled(void) {
    tslrt_init();
    return tslrt_watched();
}

// ---------------------------------------------------------------- process ids and resources

API pid_t getppid(void) {
    return is_controlled() ? tslrt->process.pid - 1 : (pid_t)tslrt_sys0(SYS_getppid);
}

// The tool starts every program in a new session, so group and session have the program's id.
API pid_t getpgrp(void) {
    return is_controlled() ? tslrt->process.pid : (pid_t)tslrt_sys1(SYS_getpgid, 0);
}

static pid_t group_or_session(long call, pid_t pid) {
    if (is_controlled() && (pid == 0 || pid == tslrt->process.pid))
        return tslrt->process.pid;
    return (pid_t)tslrt_returned(tslrt_sys1(call, pid));
}

API pid_t getpgid(pid_t pid) { return group_or_session(SYS_getpgid, pid); }
API pid_t getsid(pid_t pid) { return group_or_session(SYS_getsid, pid); }

API pid_t setsid(void) {
    return (pid_t)tslrt_returned(is_controlled() ? -EPERM : tslrt_sys0(SYS_setsid));
}

API int getrusage(__rusage_who_t who, struct rusage *usage) {
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD)
        return tslrt_fail(EINVAL);
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    memset(usage, 0, sizeof *usage);
    usage->ru_utime.tv_sec = now.tv_sec;
    usage->ru_utime.tv_usec = now.tv_nsec / 1000;
    usage->ru_maxrss = 4096;
    tslrt_wrote(usage, sizeof *usage);
    return 0;
}

API clock_t times(struct tms *to) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_t ticks = (clock_t)(now.tv_sec * 100 + now.tv_nsec / 10000000);
    if (to) {
        *to = (struct tms){.tms_utime = ticks};
        tslrt_wrote(to, sizeof *to);
    }
    return ticks;
}

API int getloadavg(double loads[], int n) {
    n = n > 3 ? 3 : n;
    for (int i = 0; i < n; i++)
        loads[i] = 0;
    if (n > 0)
        tslrt_wrote(loads, (size_t)n * sizeof *loads);
    return n;
}

enum { PAGES = 1 << 18, FREE_PAGES = PAGES / 2 }; // of memory

API int sysinfo(struct sysinfo *to) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    memset(to, 0, sizeof *to);
    to->uptime = now.tv_sec;
    to->totalram = PAGES * 4096ul;
    to->freeram = FREE_PAGES * 4096ul;
    to->procs = 2;
    to->mem_unit = 1;
    tslrt_wrote(to, sizeof *to);
    return 0;
}

API long get_avphys_pages(void) { return FREE_PAGES; }

API long sysconf(int name) {
    return name == _SC_AVPHYS_PAGES && is_controlled() ? FREE_PAGES : TSLRT_REAL(sysconf)(name);
}

API int sched_getcpu(void) { return 0; }

API int getcpu(unsigned *cpu, unsigned *node) {
    if (cpu)
        *cpu = 0;
    if (node)
        *node = 0;
    return 0;
}

// Replaces the sixteen random bytes from the kernel, which libc has used by now.
void tslrt_world_begin(void) {
    static const char bytes[] = "teasel-AT_RANDOM";
    void *at = (void *)getauxval(AT_RANDOM);
    if (at)
        memcpy(at, bytes, 16);
    if (tslrt->wire)
        tslrt->world.born =
            (struct timespec){tslrt->wire->born_seconds, tslrt->wire->born_nanoseconds};
    else
        tslrt_sys2(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &tslrt->world.born);
}

// ---------------------------------------------------------------- other clocks

API int ftime(struct timeb *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *to = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
    return 0;
}

static int adjust(struct timex *t) {
    struct timespec now;
    if (t->modes)
        return tslrt_fail(EPERM);
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timex){.tick = 10000};
    t->time.tv_sec = now.tv_sec;
    t->time.tv_usec = now.tv_nsec / 1000;
    return TIME_OK;
}

API int adjtimex(struct timex *t) { return adjust(t); }
API int ntp_adjtime(struct timex *t) { return adjust(t); }

API int clock_adjtime(clockid_t clock, struct timex *t) {
    (void)clock;
    return adjust(t);
}

API int ntp_gettime(struct ntptimeval *to) { // glibc calls it ntp_gettimex
    struct timex t = {.modes = 0};
    adjust(&t);
    *to = (struct ntptimeval){.time = t.time};
    return TIME_OK;
}

// ---------------------------------------------------------------- temporary files

// Numbers the name in its last six letters before the suffix.
static void fill_in(char *name, int suffix) {
    char *to = name + strlen(name) - (size_t)suffix - 6;
    uint64_t number = RUN->libc.temporaries++;
    for (unsigned i = 6; i-- > 0; number /= 36)
        to[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    tslrt_wrote(to, 6);
}

static bool is_template(const char *name, int suffix) {
    size_t n = strlen(name);
    return suffix >= 0 && n >= 6 + (size_t)suffix &&
           memcmp(name + n - (size_t)suffix - 6, "XXXXXX", 6) == 0;
}

// An earlier run has made this file and did not remove it.
static void say_taken(void) {
    tslrt_weaken(TSL_REASON_OUTSIDE,
                 "temporary files of earlier runs are still there: names are others in every run");
}

static int make_file(char *name, int suffix, int flags) {
    if (!is_template(name, suffix))
        return tslrt_fail(EINVAL);
    for (unsigned tries = 0; tries < 10000; tries++) {
        fill_in(name, suffix);
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
        say_taken();
    }
    return -1;
}

API int mkostemps(char *name, int suffix, int flags) { return make_file(name, suffix, flags); }
API int mkstemps(char *name, int suffix) { return make_file(name, suffix, 0); }
API int mkostemp(char *name, int flags) { return make_file(name, 0, flags); }
API int mkstemp(char *name) { return make_file(name, 0, 0); }
API int mkostemps64(char *name, int suffix, int flags) { return make_file(name, suffix, flags); }
API int mkstemps64(char *name, int suffix) { return make_file(name, suffix, 0); }
API int mkostemp64(char *name, int flags) { return make_file(name, 0, flags); }
API int mkstemp64(char *name) { return make_file(name, 0, 0); }

API char *mkdtemp(char *name) {
    if (!is_template(name, 0)) {
        errno = EINVAL;
        return NULL;
    }
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->trace.flags |= TSL_TRACE_LEAKED;
    for (unsigned tries = 0; tries < 10000; tries++) {
        fill_in(name, 0);
        if (mkdir(name, 0700) == 0) {
            tslrt_varies_made(name);
            return name;
        }
        if (errno != EEXIST)
            return NULL;
        say_taken();
    }
    return NULL;
}

// Makes the first name that no file has.
static char *make_name(char *name) {
    for (unsigned tries = 0; tries < 10000; tries++) {
        fill_in(name, 0);
        if (tslrt_sys3(SYS_faccessat, AT_FDCWD, name, F_OK) != 0)
            return name;
        say_taken();
    }
    return NULL;
}

API char *mktemp(char *name) {
    if (!is_template(name, 0)) {
        errno = EINVAL;
        *name = 0;
    } else if (!make_name(name))
        *name = 0;
    return name;
}

API char *tmpnam_r(char *name) {
    if (!name)
        return NULL;
    strcpy(name, P_tmpdir "/fileXXXXXX");
    return make_name(name);
}

API char *tmpnam(char *name) {
    static char own[L_tmpnam];
    return tmpnam_r(name ? name : own);
}

API char *tempnam(const char *folder, const char *prefix) {
    char name[4096];
    const char *asked = getenv("TMPDIR");
    if (asked && access(asked, W_OK) == 0)
        folder = asked;
    else if (!folder || access(folder, W_OK) != 0)
        folder = P_tmpdir;
    int n = snprintf(name, sizeof name, "%s/%.5sXXXXXX", folder, prefix ? prefix : "file");
    return n > 0 && (size_t)n < sizeof name && make_name(name) ? strdup(name) : NULL;
}

API FILE *tmpfile(void) {
    char name[] = P_tmpdir "/tmpfXXXXXX";
    int fd = make_file(name, 0, 0);
    if (fd < 0)
        return NULL;
    unlink(name);
    FILE *file = fdopen(fd, "w+");
    if (!file)
        close(fd);
    return file;
}

API FILE *tmpfile64(void) { return tmpfile(); }
