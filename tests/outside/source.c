// One row of sources.def, chosen by its name: prints what the source gives, in two threads' presence.
#define _GNU_SOURCE
#include <alloca.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <ifaddrs.h>
#include <link.h>
#include <linux/netlink.h>
#include <locale.h>
#include <malloc.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
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
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv);
static void *other(void *arg);
static _Thread_local int of_each_thread = 3;

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

// ---------------------------------------------------------------- other ways to files

static unsigned of_link_to(const char *path) {
    unlink("/tmp/teasel-source-link");
    symlink(path, "/tmp/teasel-source-link");
    unsigned got = of_file("/tmp/teasel-source-link");
    unlink("/tmp/teasel-source-link");
    return got;
}

static unsigned of_freopen(const char *path) {
    char text[8] = {0};
    fread(text, 1, 8, freopen(path, "r", stdin));
    return sum(text, 8);
}

static unsigned of_readv(const char *path) {
    char text[8] = {0};
    struct iovec part = {text, 8};
    readv(open(path, O_RDONLY), &part, 1);
    return sum(text, 8);
}

static unsigned of_pread(const char *path) {
    char text[8] = {0};
    pread(open(path, O_RDONLY), text, 8, 100);
    return sum(text, 8);
}

static unsigned of_getline(const char *path) {
    char *line = NULL;
    size_t size = 0;
    getline(&line, &size, fopen(path, "r"));
    return of_name(line);
}

static unsigned of_glob(const char *pattern) {
    glob_t found = {0};
    glob(pattern, 0, NULL, &found);
    return found.gl_pathc ? of_name(found.gl_pathv[0]) : 0;
}

static unsigned of_readlinkat(void) {
    char text[64] = {0};
    readlinkat(open("/proc", O_RDONLY | O_DIRECTORY), "self", text, 63);
    return sum(text, 64);
}

static unsigned of_scandir(const char *path) {
    struct dirent **list = NULL;
    int n = scandir(path, &list, NULL, alphasort);
    return n > 2 ? of_name(list[2]->d_name) : 0;
}

static unsigned of_getdents(void) {
    static char room[1024];
    long n =
        syscall(SYS_getdents64, open("/proc/self/task", O_RDONLY | O_DIRECTORY), room, sizeof room);
    return sum(room, n > 0 ? (size_t)n : 0);
}

static unsigned of_raw_stat(void) {
    struct stat st = {0};
    int ends[2];
    pipe(ends);
    syscall(SYS_fstat, ends[0], &st);
    return (unsigned)st.st_ino;
}

static unsigned of_appended(void) { // grows from run to run
    int fd = open("/tmp/teasel-source-log", O_RDWR | O_CREAT | O_APPEND, 0600);
    struct stat st;
    write(fd, "x", 1);
    fstat(fd, &st);
    close(fd);
    if (st.st_size > 200)
        unlink("/tmp/teasel-source-log");
    return (unsigned)st.st_size;
}

static unsigned of_own_size(void) { // of a file that each run makes anew
    int fd = open("/tmp/teasel-source-own", O_RDWR | O_CREAT | O_TRUNC, 0600);
    write(fd, "some text", 9);
    close(fd);
    fd = open("/tmp/teasel-source-own", O_RDONLY);
    unsigned size = (unsigned)lseek(fd, 0, SEEK_END);
    close(fd);
    return size;
}

static unsigned of_folder_made(void) {
    mkdir("/tmp/teasel-source-folder", 0700);
    close(open("/tmp/teasel-source-folder/a", O_CREAT | O_WRONLY, 0600));
    close(open("/tmp/teasel-source-folder/b", O_CREAT | O_WRONLY, 0600));
    return of_folder("/tmp/teasel-source-folder");
}

static unsigned of_statx(void) {
    struct statx st = {0};
    close(open("/tmp/teasel-source-x", O_CREAT | O_TRUNC | O_WRONLY, 0600));
    statx(AT_FDCWD, "/tmp/teasel-source-x", 0, STATX_ALL, &st);
    return st.stx_mtime.tv_nsec;
}

static unsigned of_memfd(void) {
    struct stat st = {0};
    int fd = memfd_create("source", 0);
    write(fd, "text", 4);
    fstat(fd, &st);
    return (unsigned)(st.st_ino + st.st_size + st.st_mtim.tv_nsec);
}

static unsigned of_shm(void) {
    struct stat st = {0};
    int fd = shm_open("/teasel-source", O_RDWR | O_CREAT, 0600);
    fstat(fd, &st);
    shm_unlink("/teasel-source");
    return (unsigned)st.st_ino;
}

static unsigned of_queue(void) {
    struct mq_attr attr = {0};
    mqd_t q = mq_open("/teasel-source", O_RDWR | O_CREAT, 0600, NULL);
    mq_getattr(q, &attr);
    mq_unlink("/teasel-source");
    return (unsigned)(attr.mq_maxmsg + q);
}

static unsigned of_inotify(void) {
    char room[256] = {0};
    int fd = inotify_init1(IN_NONBLOCK);
    inotify_add_watch(fd, "/tmp", IN_CREATE);
    close(open("/tmp/teasel-source-seen", O_CREAT | O_WRONLY, 0600));
    unlink("/tmp/teasel-source-seen");
    long n = read(fd, room, sizeof room);
    return sum(room, n > 0 ? (size_t)n : 0);
}

static unsigned of_stat_socket(void) {
    int ends[2];
    struct stat st = {0};
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    fstat(ends[1], &st);
    return (unsigned)(st.st_ino + st.st_mtim.tv_nsec);
}

// ---------------------------------------------------------------- timers

static unsigned of_timerfd(void) {
    struct itimerspec soon = {.it_value.tv_nsec = 200000, .it_interval.tv_nsec = 100000};
    uint64_t times = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(fd, 0, &soon, NULL);
    read(fd, &times, 8);
    return (unsigned)times;
}

static unsigned of_timerfd_left(void) {
    struct itimerspec soon = {.it_value.tv_sec = 100}, left = {0};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(fd, 0, &soon, NULL);
    timerfd_gettime(fd, &left);
    return (unsigned)left.it_value.tv_nsec;
}

static unsigned of_now(void) {
    char text[64] = {0};
    time_t now = time(NULL);
    return (unsigned)strftime(text, 64, "%c", localtime(&now)) + sum(text, 64);
}

static unsigned of_clock_of_child(void) {
    clockid_t id = 0;
    struct timespec ts = {0};
    pid_t pid = fork();
    if (pid == 0)
        pause();
    clock_getcpuclockid(pid, &id);
    clock_gettime(id, &ts);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return (unsigned)ts.tv_nsec;
}

// ---------------------------------------------------------------- system calls without libc

static unsigned of_io_uring(void) {
    static char params[256];
    long fd = syscall(SYS_io_uring_setup, 4L, params);
    return (unsigned)fd + sum(params, 120);
}

static unsigned of_mremap(void) {
    void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return (unsigned)((uintptr_t)mremap(at, 4096, 1 << 20, MREMAP_MAYMOVE) >> 12);
}

static long of_inline_call(long number, long a, long b) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(0)
                     : "rcx", "r11", "memory");
    return result;
#else
    return number + a - a + b - b;
#endif
}

static unsigned of_process_vm(void) {
    char text[8] = {0};
    struct iovec to = {text, 8}, from = {(void *)getauxval(AT_RANDOM), 8};
    process_vm_readv((pid_t)syscall(SYS_getpid), &to, 1, &from, 1, 0);
    return sum(text, 8);
}

// ---------------------------------------------------------------- the machine

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static unsigned of_rdtsc(void) { return (unsigned)__builtin_ia32_rdtsc(); }

static unsigned of_rdtscp(void) {
    unsigned core;
    return (unsigned)__builtin_ia32_rdtscp(&core) + core;
}

__attribute__((target("rdrnd"))) static unsigned of_rdrand(void) {
    unsigned got = 0;
    _rdrand32_step(&got);
    return got;
}

static unsigned of_rdseed(void) {
    unsigned got = 0;
    __asm__ volatile("rdseed %0" : "=r"(got) : : "cc");
    return got;
}

static unsigned of_cpuid(unsigned leaf) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, 0, &a, &b, &c, &d);
    return a + b + c + d;
}

static unsigned of_fs(void) {
    unsigned long at;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(at));
    return (unsigned)at;
}

static unsigned of_stack_pointer(void) {
    unsigned long at;
    __asm__ volatile("mov %%rsp, %0" : "=r"(at));
    return (unsigned)at;
}

static unsigned of_int_80(void) {
    unsigned long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(20) : "memory"); // getpid, by its old number
    return (unsigned)result;
}

static unsigned of_rdpid(void) {
    unsigned long core = 0;
    __asm__ volatile("jmp 1f; rdpid %0; 1:" : "+r"(core)); // old processors have none
    return (unsigned)core;
}

static unsigned of_bytes(void) { // rdtsc, for an assembler that does not know it
    unsigned low;
    __asm__ volatile(".byte 0x0f, 0x31" : "=a"(low)::"edx");
    return low;
}

static unsigned of_descriptors(void) {
    struct __attribute__((packed)) {
        unsigned short limit;
        unsigned long base;
    } table = {0};
    __asm__ volatile("sgdt %0" : "=m"(table));
    return (unsigned)(table.base >> 12);
}

static unsigned of_limit(void) {
    unsigned limit = 0;
    __asm__ volatile("lsl %1, %0" : "+r"(limit) : "r"(0x7b));
    return limit;
}

__attribute__((naked)) static unsigned of_naked(void) { __asm__("rdtsc; ret"); }

__asm__("of_label: rdtsc; ret");
unsigned of_label(void);

static unsigned of_intel(void) {
    unsigned low, high;
    __asm__ volatile(".intel_syntax noprefix; rdtsc; .att_syntax prefix" : "=a"(low), "=d"(high));
    return low;
}

static unsigned of_canary(void) {
    unsigned long at;
    __asm__ volatile("mov %%fs:40, %0" : "=r"(at));
    return (unsigned)at;
}
#else
static unsigned of_rdtsc(void) { return 0; }
static unsigned of_rdtscp(void) { return 0; }
static unsigned of_rdrand(void) { return 0; }
static unsigned of_rdseed(void) { return 0; }
static unsigned of_cpuid(unsigned leaf) { return leaf; }
static unsigned of_fs(void) { return 0; }
static unsigned of_stack_pointer(void) { return 0; }
static unsigned of_canary(void) { return 0; }
static unsigned of_int_80(void) { return 0; }
static unsigned of_rdpid(void) { return 0; }
static unsigned of_intel(void) { return 0; }
static unsigned of_bytes(void) { return 0; }
static unsigned of_descriptors(void) { return 0; }
static unsigned of_limit(void) { return 0; }
static unsigned of_naked(void) { return 0; }
static unsigned of_label(void) { return 0; }
#endif

// ---------------------------------------------------------------- memory and addresses

static unsigned of_printed(const void *at) {
    char text[32];
    return sum(text, (size_t)sprintf(text, "%p", at));
}

static unsigned of_loaded(void) {
    void *library = dlopen("libm.so.6", RTLD_NOW);
    return library ? (unsigned)(uintptr_t)dlsym(library, "cos") : 0;
}

static int add_library(struct dl_phdr_info *info, size_t size, void *to) {
    *(unsigned *)to =
        *(unsigned *)to * 31 + (unsigned)(info->dlpi_addr >> 12) + (unsigned)(size - size);
    return 0;
}

static unsigned of_phdr(void) {
    unsigned s = 0;
    dl_iterate_phdr(add_library, &s);
    return s;
}

static void *look_at_stack(void *arg) {
    char room[512];
    __asm__ volatile("" : "=m"(room));
    *(unsigned *)arg = sum(room, sizeof room);
    return NULL;
}

static unsigned of_thread_stack(void) {
    pthread_t t;
    unsigned got = 0;
    pthread_create(&t, NULL, look_at_stack, &got);
    pthread_join(t, NULL);
    return got;
}

static unsigned of_calloc_freed(void) {
    char *volatile first = calloc(1, 100);
    memset(first, 7, 100);
    free(first);
    return sum(malloc(100), 100);
}

static unsigned of_padding(void) {
    struct {
        char a;
        long b;
    } s;
    __asm__ volatile("" : "=m"(s));
    s.a = 1, s.b = 2;
    return sum((const char *)&s, sizeof s);
}

static unsigned of_environment(void) {
    unsigned s = 0;
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "_=", 2) != 0)
            s = s * 31 + of_name(*e);
    return s;
}

// ---------------------------------------------------------------- sockets

static int at_home(int type, struct sockaddr_in *at) {
    socklen_t size = sizeof *at;
    int fd = socket(AF_INET, type, 0);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bind(fd, (struct sockaddr *)at, size);
    getsockname(fd, (struct sockaddr *)at, &size);
    return fd;
}

static unsigned of_udp_sender(void) {
    struct sockaddr_in at, from = {0};
    socklen_t size = sizeof from;
    char text[8];
    int to = at_home(SOCK_DGRAM, &at), by = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(by, "hello", 5, 0, (struct sockaddr *)&at, sizeof at);
    recvfrom(to, text, 8, 0, (struct sockaddr *)&from, &size);
    return from.sin_port;
}

static int connected(struct sockaddr_in *from) {
    struct sockaddr_in at;
    socklen_t size = sizeof *from;
    int to = at_home(SOCK_STREAM, &at), by = socket(AF_INET, SOCK_STREAM, 0);
    listen(to, 1);
    connect(by, (struct sockaddr *)&at, sizeof at);
    accept(to, (struct sockaddr *)from, &size);
    return by;
}

static unsigned of_accepted(void) {
    struct sockaddr_in from = {0};
    connected(&from);
    return from.sin_port;
}

static unsigned of_tcp_info(void) {
    struct sockaddr_in from;
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    getsockopt(connected(&from), IPPROTO_TCP, TCP_INFO, &info, &size);
    return info.tcpi_rtt;
}

static unsigned of_netlink(void) {
    struct sockaddr_nl at = {.nl_family = AF_NETLINK};
    socklen_t size = sizeof at;
    int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    bind(fd, (struct sockaddr *)&at, sizeof at);
    getsockname(fd, (struct sockaddr *)&at, &size);
    return at.nl_pid;
}

static unsigned of_stamp(void) {
    struct sockaddr_in at;
    char text[8], beside[256] = {0};
    struct iovec part = {text, 8};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = beside, .msg_controllen = sizeof beside};
    int on = 1, fd = at_home(SOCK_DGRAM, &at);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
    sendto(fd, "hello", 5, 0, (struct sockaddr *)&at, sizeof at);
    recvmsg(fd, &message, 0);
    return sum(beside, sizeof beside);
}

static unsigned of_socket_option(void) {
    int size = 0;
    socklen_t n = sizeof size;
    getsockopt(socket(AF_UNIX, SOCK_STREAM, 0), SOL_SOCKET, SO_SNDBUF, &size, &n);
    return (unsigned)size;
}

static unsigned of_resolved(const char *name) {
    struct addrinfo *list = NULL;
    int got = getaddrinfo(name, "80", NULL, &list);
    return (unsigned)got + (list ? (unsigned)list->ai_family : 0);
}

static unsigned of_interfaces(void) {
    struct ifaddrs *list = NULL;
    getifaddrs(&list);
    return list ? of_name(list->ifa_name) : 0;
}

// ---------------------------------------------------------------- children

static unsigned of_wait4(void) {
    struct rusage used = {0};
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    wait4(pid, NULL, 0, &used);
    return (unsigned)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static unsigned of_popen(const char *command) {
    char text[64] = {0};
    FILE *f = popen(command, "r");
    fgets(text, sizeof text, f);
    pclose(f);
    return sum(text, sizeof text);
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
    static struct stat st;
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
