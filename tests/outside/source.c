// One row of sources.def, chosen by its name: prints what the source gives, in two threads' presence.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static unsigned sum(const char *p, size_t n) {
    unsigned s = 0;
    for (size_t i = 0; i < n; i++)
        s = s * 31 + (unsigned char)p[i];
    return s;
}

static unsigned of_fd(int fd) {
    char text[64] = {0};
    long n = read(fd, text, sizeof text);
    close(fd);
    return sum(text, n > 0 ? (size_t)n : 0);
}

static unsigned of_file(const char *path) { return of_fd(open(path, O_RDONLY)); }

static unsigned of_stream(const char *path) {
    char text[16] = {0};
    FILE *f = fopen(path, "r");
    setvbuf(f, NULL, _IONBF, 0);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    return sum(text, n);
}

static unsigned of_mkstemp(void) {
    char name[] = "/tmp/teasel-source-XXXXXX";
    close(mkstemp(name));
    unlink(name);
    return sum(name, sizeof name);
}

static unsigned of_mkdtemp(void) {
    char name[] = "/tmp/teasel-source-XXXXXX";
    mkdtemp(name);
    rmdir(name);
    return sum(name, sizeof name);
}

static unsigned of_new_file(int inode) {
    struct stat st;
    int fd = open("/tmp/teasel-source-file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    fstat(fd, &st);
    close(fd);
    unlink("/tmp/teasel-source-file");
    return inode ? (unsigned)st.st_ino : (unsigned)st.st_mtim.tv_nsec;
}

static unsigned ask(const char *name) {
    static char bytes[16];
    static struct timeval tv;
    static struct timespec ts;
    static struct tms tms;
    static struct rusage usage;
    static double loads[3];
    static struct sysinfo si;
    (void)bytes, (void)tv, (void)ts, (void)tms, (void)usage, (void)loads, (void)si;
#define SOURCE(source, expression)                                                                 \
    if (strcmp(name, #source) == 0)                                                                \
        return expression;
#include "sources.def"
    return 0;
}

static void *other(void *arg) { return arg; }

int main(int argc, char **argv) {
    pthread_t t;
    unsigned got = argc > 1 ? ask(argv[1]) : 0;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    printf("%u\n", got);
    return argc > 2; // so that there is something to replay
}
