// One row of sources.def, chosen by its name: prints what the source gives, in two threads' presence.
#define _GNU_SOURCE
#include <alloca.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
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

static unsigned of_name(const char *name) { return name ? sum(name, strlen(name)) : 0; }

static unsigned of_file_part(const char *path, const char *from) {
    char text[1024] = {0};
    int fd = open(path, O_RDONLY);
    read(fd, text, sizeof text - 1);
    close(fd);
    const char *at = strstr(text, from);
    return at ? sum(at, 16) : 0;
}

static unsigned of_link(const char *path) {
    char text[64] = {0};
    readlink(path, text, sizeof text - 1);
    return sum(text, sizeof text);
}

static unsigned of_pipe_link(void) {
    int ends[2];
    char path[64];
    pipe(ends);
    sprintf(path, "/proc/self/fd/%d", ends[0]);
    return of_link(path);
}

static unsigned of_own_proc(void) {
    char path[64];
    sprintf(path, "/proc/%d/stat", (int)getpid());
    return of_file(path);
}

static unsigned of_clock_of_process(void) {
    clockid_t id;
    struct timespec ts = {0};
    clock_getcpuclockid(0, &id);
    clock_gettime(id, &ts);
    return (unsigned)ts.tv_nsec;
}

static unsigned of_thread_clock(void) {
    clockid_t id;
    struct timespec ts = {0};
    pthread_getcpuclockid(pthread_self(), &id);
    clock_gettime(id, &ts);
    return (unsigned)ts.tv_nsec;
}

static unsigned of_ftime(void) {
    struct timeb now;
    ftime(&now);
    return now.millitm + (unsigned)now.time;
}

static unsigned of_adjtimex(void) {
    struct timex t = {0};
    adjtimex(&t);
    return (unsigned)t.time.tv_usec;
}

static unsigned of_ntp(void) {
    struct ntptimeval t = {0};
    ntp_gettime(&t);
    return (unsigned)t.time.tv_usec;
}

static unsigned of_tmpfile(void) {
    struct stat st;
    fstat(fileno(tmpfile()), &st);
    return (unsigned)st.st_ino;
}

static unsigned of_mkostemp(void) {
    char name[] = "/tmp/teasel-source-XXXXXX.c";
    close(mkostemps(name, 2, O_CLOEXEC));
    unlink(name);
    return sum(name, sizeof name);
}

static unsigned of_random_r(void) {
    static struct random_data data;
    static char state[64];
    int32_t got = 0;
    initstate_r(5, state, sizeof state, &data);
    random_r(&data, &got);
    return (unsigned)got;
}

static unsigned of_mapped_file(void) {
    int fd = open("/etc/passwd", O_RDONLY);
    return (unsigned)((uintptr_t)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) >> 12);
}

__attribute__((noinline)) static unsigned of_stack(void) {
    char room[256];
    __asm__ volatile("" : "=m"(room));
    return sum(room, sizeof room);
}

__attribute__((noinline)) static unsigned of_alloca(void) {
    char *room = alloca((size_t)200 + (unsigned)(time(NULL) & 1));
    __asm__ volatile("" ::"r"(room) : "memory");
    return sum(room, 200);
}

static unsigned of_freed(void) {
    char *volatile first = malloc(40);
    strcpy(first, "something");
    free(first);
    return sum(malloc(40), 40);
}

static unsigned of_shmget(void) {
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    shmctl(id, IPC_RMID, NULL);
    return (unsigned)id;
}

static unsigned of_semget(void) {
    int id = semget(IPC_PRIVATE, 1, 0600);
    semctl(id, 0, IPC_RMID);
    return (unsigned)id;
}

static unsigned of_msgget(void) {
    int id = msgget(IPC_PRIVATE, 0600);
    msgctl(id, IPC_RMID, NULL);
    return (unsigned)id;
}

static unsigned of_timer(void) {
    timer_t id = 0;
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    timer_create(CLOCK_MONOTONIC, &none, &id);
    return (unsigned)(uintptr_t)id;
}

static unsigned of_port(void) {
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bind(fd, (struct sockaddr *)&at, sizeof at);
    getsockname(fd, (struct sockaddr *)&at, &size);
    close(fd);
    return at.sin_port;
}

static unsigned of_abstract(void) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    socklen_t size = sizeof at;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(fd, (struct sockaddr *)&at, sizeof at.sun_family);
    getsockname(fd, (struct sockaddr *)&at, &size);
    close(fd);
    return sum(at.sun_path, 8);
}

static unsigned of_child(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    return (unsigned)pid;
}

static unsigned of_raw_fork(void) {
    long pid = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    if (pid == 0)
        _exit(0);
    waitpid((pid_t)pid, NULL, 0);
    return (unsigned)pid;
}

static unsigned of_spawned(void) {
    char *argv[] = {"true", NULL};
    pid_t pid = 0;
    posix_spawnp(&pid, "true", NULL, NULL, argv, environ);
    waitpid(pid, NULL, 0);
    return (unsigned)pid;
}

static unsigned of_peer(void) {
    int ends[2];
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    getsockopt(ends[0], SOL_SOCKET, SO_PEERCRED, &peer, &size);
    return (unsigned)peer.pid;
}

static unsigned of_inode_of_pipe(void) {
    int ends[2];
    struct stat st;
    pipe(ends);
    fstat(ends[0], &st);
    return (unsigned)st.st_ino;
}

static unsigned of_stat(const char *path, int times) {
    struct stat st;
    stat(path, &st);
    return times ? (unsigned)st.st_atim.tv_nsec : (unsigned)st.st_dev;
}

static unsigned of_folder(const char *path) {
    DIR *folder = opendir(path);
    const struct dirent *entry;
    unsigned s = 0;
    while ((entry = readdir(folder)))
        s = s * 31 + sum(entry->d_name, strlen(entry->d_name));
    closedir(folder);
    return s;
}

static unsigned of_disk(void) {
    struct statvfs st;
    statvfs("/tmp", &st);
    return (unsigned)st.f_bfree;
}

static unsigned of_vdso(void) { // as a program finds it that does not trust libc
    void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
    int (*now)(clockid_t, struct timespec *) =
        vdso ? (int (*)(clockid_t, struct timespec *))dlsym(vdso, "__vdso_clock_gettime") : NULL;
    struct timespec ts = {0};
    if (now)
        now(CLOCK_REALTIME, &ts);
    return (unsigned)ts.tv_nsec;
}

static unsigned of_backtrace(void) {
    void *frames[8] = {0};
    int n = backtrace(frames, 8);
    return sum((const char *)frames, (size_t)n * sizeof *frames);
}

static unsigned of_dladdr(void) {
    Dl_info info = {0};
    dladdr((void *)&puts, &info);
    return (unsigned)((uintptr_t)info.dli_fbase >> 12);
}

static unsigned ask(const char *name) {
    static char bytes[16];
    static struct timeval tv;
    static struct timespec ts;
    static struct tms tms;
    static struct rusage usage;
    static double loads[3];
    static struct sysinfo si;
    static struct utsname names;
    static struct rlimit limit;
    static cpu_set_t cpus;
    static unsigned seed;
    static char states[256];
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
