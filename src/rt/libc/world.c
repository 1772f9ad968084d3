// What a program learns of the world around it, made the same in every run.
//
// Resources used, load, uptime and the parent's number follow from virtual time or are fixed; names of
// temporary files are counted; /dev/random and its like are a file of repeatable bytes.  What can't be
// made the same (files under /proc and /sys, other devices) weakens the claim.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "../sync/objects.h"
#include "../sys.h"

static bool is_controlled(void) {
    if (!tslrt_mapped)
        tslrt_init();
    return tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD && tslrt->kind != RT_ALONE;
}

// ---------------------------------------------------------------- numbers

API pid_t getppid(void) {
    return is_controlled() ? tslrt->pid - 1 : (pid_t)tslrt_sys0(SYS_getppid);
}

// The tool starts every program in a session of its own.
API pid_t getpgrp(void) { return is_controlled() ? tslrt->pid : (pid_t)tslrt_sys1(SYS_getpgid, 0); }

static pid_t group_or_session(long call, pid_t pid) {
    if (is_controlled() && (pid == 0 || pid == tslrt->pid))
        return tslrt->pid;
    long got = tslrt_sys1(call, pid);
    if (got >= 0)
        return (pid_t)got;
    errno = (int)-got;
    return -1;
}

API pid_t getpgid(pid_t pid) { return group_or_session(SYS_getpgid, pid); }
API pid_t getsid(pid_t pid) { return group_or_session(SYS_getsid, pid); }

API int getrusage(__rusage_who_t who, struct rusage *usage) {
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) {
        errno = EINVAL;
        return -1;
    }
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

API int sysinfo(struct sysinfo *to) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    memset(to, 0, sizeof *to);
    to->uptime = now.tv_sec;
    to->totalram = 1ul << 30;
    to->freeram = 1ul << 29;
    to->procs = 2;
    to->mem_unit = 1;
    tslrt_wrote(to, sizeof *to);
    return 0;
}

API int sched_getcpu(void) { return 0; }

API int getcpu(unsigned *cpu, unsigned *node) {
    if (cpu)
        *cpu = 0;
    if (node)
        *node = 0;
    return 0;
}

// The kernel gives every process sixteen random bytes.  libc has used them by now.
void tslrt_world_begin(void) {
    static const char bytes[] = "teasel-AT_RANDOM";
    void *at = (void *)getauxval(AT_RANDOM);
    if (at)
        memcpy(at, bytes, 16);
}

// ---------------------------------------------------------------- temporary files

// The last six letters in front of the suffix count.
static bool fill_in(char *name, int suffix) {
    size_t n = strlen(name);
    if (suffix < 0 || n < 6 + (size_t)suffix)
        return false;
    char *to = name + n - (size_t)suffix - 6;
    uint64_t number = RUN->temporaries++;
    for (unsigned i = 6; i-- > 0; number /= 36)
        to[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    tslrt_wrote(to, 6);
    return true;
}

static bool is_template(const char *name, int suffix) {
    size_t n = strlen(name);
    return suffix >= 0 && n >= 6 + (size_t)suffix &&
           memcmp(name + n - (size_t)suffix - 6, "XXXXXX", 6) == 0;
}

// Made by a run before this one, which did not remove it.
static void say_taken(void) {
    tslrt_weaken(TSL_REASON_OUTSIDE,
                 "temporary files of earlier runs are still there: names are others in every run");
}

static int make_file(char *name, int suffix, int flags) {
    if (!is_template(name, suffix)) {
        errno = EINVAL;
        return -1;
    }
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
    RUN->flags |= TSL_TRACE_LEAKED;
    for (unsigned tries = 0; tries < 10000; tries++) {
        fill_in(name, 0);
        if (mkdir(name, 0700) == 0)
            return name;
        if (errno != EEXIST)
            return NULL;
        say_taken();
    }
    return NULL;
}

// ---------------------------------------------------------------- files of the system

// Does the program call anything that tells time stamps?
bool tslrt_looks_at_files(void) {
    static const char *const names[] = {"fstat",   "fstat64",       "stat",           "stat64",
                                        "lstat",   "lstat64",       "fstatat",        "fstatat64",
                                        "statx",   "__teasel_stat", "__teasel_lstat", "__fxstat",
                                        "__xstat", "__fxstat64"};
    for (const tsl_module *m = tslrt->modules; m; m = m->next)
        for (uint32_t i = 0; i < m->nexterns; i++)
            for (size_t k = 0; k < sizeof names / sizeof *names; k++)
                if (strcmp(m->externs[i].name, names[k]) == 0)
                    return true;
    return false;
}

enum { RANDOM_BYTES = 1 << 18 };

static bool begins(const char *path, const char *with) {
    return strncmp(path, with, strlen(with)) == 0;
}

static bool is_random_device(const char *path) {
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

// A file of repeatable bytes, the same for everybody who opens the device.
static int open_random(void) {
    long fd = tslrt_sys2(SYS_memfd_create, "random", 0);
    uint64_t x = 0x7ea5e1, block[512];
    for (unsigned at = 0; fd >= 0 && at < RANDOM_BYTES; at += sizeof block) {
        for (unsigned i = 0; i < 512; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            block[i] = x ^= x << 17;
        }
        tslrt_sys3(SYS_write, fd, block, sizeof block);
    }
    if (fd >= 0)
        tslrt_sys3(SYS_lseek, fd, 0, SEEK_SET);
    return (int)fd;
}

const char *tslrt_world_path(const char *path, char room[TSLRT_OUTSIDE_PATH]) {
    if (!is_controlled())
        return path;
    if (is_random_device(path)) {
        if (RUN->random_fd <= 0)
            RUN->random_fd = open_random();
        if (RUN->random_fd > 0) {
            snprintf(room, TSLRT_OUTSIDE_PATH, "/proc/self/fd/%d", RUN->random_fd);
            return room;
        }
    }
    bool harmless = strcmp(path, "/dev/null") == 0 || strcmp(path, "/dev/zero") == 0 ||
                    strcmp(path, "/dev/full") == 0 || begins(path, "/dev/shm/");
    if ((begins(path, "/proc/") || begins(path, "/sys/") || begins(path, "/dev/")) && !harmless)
        tslrt_weaken(TSL_REASON_OUTSIDE, "%s may hold something else in every run", path);
    return path;
}
