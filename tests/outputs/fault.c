// Preloaded into the tool: the n-th call that touches an output file fails, or is the process's last.
//
//     FAULT=write:3:ENOSPC   the third write to a plain file takes half of the bytes, and the rest finds no room
//     FAULT=rename:1:KILL    the process is killed right before its first rename
//
// Calls: write, fsync, rename.  Actions: ENOSPC, EIO, KILL.  FAULT_MARK is a file that is made when it happens.
// The compiler and the program under test are left alone.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char call[16], action[16];
static int left;

__attribute__((constructor)) static void read_order(void) {
    const char *fault = getenv("FAULT");
    unsetenv("LD_PRELOAD"); // not for those that this process starts
    if (fault && strcmp(program_invocation_short_name, "teasel") == 0)
        sscanf(fault, "%15[^:]:%d:%15s", call, &left, action);
}

static int is_due(const char *name) { return strcmp(name, call) == 0 && left > 0 && --left == 0; }

static int strike(void) {
    int fd = open(getenv("FAULT_MARK"), O_CREAT | O_WRONLY, 0666);
    close(fd);
    if (strcmp(action, "KILL") == 0)
        kill(getpid(), SIGKILL);
    errno = strcmp(action, "ENOSPC") == 0 ? ENOSPC : EIO;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t len) {
    static ssize_t (*real)(int, const void *, size_t);
    static int full;
    struct stat st;
    if (!real)
        real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return real(fd, bytes, len);
    if (full) {
        full = 0;
        return strike();
    }
    if (!is_due("write"))
        return real(fd, bytes, len);
    if (len < 2)
        return strike();
    full = 1;
    return real(fd, bytes, len / 2);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real)
        real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return is_due("fsync") ? strike() : real(fd);
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real)
        real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    return is_due("rename") ? strike() : real(from, to);
}
