// Are the rows of src/abi/libc.def true?
//
//     check                 calls each function of calls.def twice, in memory filled with two patterns:
//                           a byte that changed under one of them was written.  What is written must be what the row says,
//                           and bytes that the row does not call read may be anything.  Prints TAP.
//     check expect          prints the calls that must race with another thread's access to what they touch, and whether
//                           they store: then they race with themselves, too
//     check threads         under Teasel: one of the calls, while another thread accesses a byte of
//                           what it touches, or the byte behind it, or makes the same call
//     check reads           prints the calls that read memory, and whether their rows say that inputs are followed
//     check inputs LINE     under Teasel: the call of that line, with inputs in all that it reads, and something is read from a pipe
//                           then: where inputs are not followed the claim must say so
#include <aio.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fenv.h>
#include <fmtmsg.h>
#include <fnmatch.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libgen.h>
#undef basename
#include <libintl.h>
#include <link.h>
#include <locale.h>
#include <math.h>
#include <mntent.h>
#include <monetary.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <nl_types.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
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
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <ulimit.h>
#include <unistd.h>
#include <utime.h>
#include <utmpx.h>
#include <wchar.h>
#include <wctype.h>
#include <wordexp.h>

#include "rt/libc/ranges.h"

#ifdef TEASEL
#include "teasel.h"
#else
static unsigned teasel_choose(unsigned n) { return n - n; }
static unsigned char teasel_uchar(const char *name) { return 0; }
#define TEASEL_ASSUME(x) ((void)(x))
#endif

enum { PIECE = 1024, PIECES = 8 };
static unsigned char arena[PIECES * PIECE] __attribute__((aligned(64)));
#define m0 (arena)
#define m1 (arena + PIECE)
#define m2 (arena + 2 * PIECE)
#define m3 (arena + 3 * PIECE)
#define m4 (arena + 4 * PIECE)

int __xpg_strerror_r(int error, char *to,
                     size_t size); // strerror_r of POSIX, whatever _GNU_SOURCE says
int _IO_getc(FILE *file);
int _IO_putc(int c, FILE *file);
wchar_t *wcswcs(const wchar_t *in, const wchar_t *what);
#ifdef __clang__
double modff64(double x, double *whole);
void sincosf64(double x, double *sine, double *cosine);
#endif

// ---------------------------------------------------------------- what calls are given

static void text(unsigned char *at, const char *s) { memcpy(at, s, strlen(s) + 1); }
static void wtext(unsigned char *at, const wchar_t *s) {
    memcpy(at, s, (wcslen(s) + 1) * sizeof *s);
}
static void number(unsigned char *at, long n) { memcpy(at, &n, sizeof n); }
static void point_to(unsigned char *at, void *to) { memcpy(at, &to, sizeof to); }
static void own_line(unsigned char *at, unsigned char *size, void *line, size_t room) {
    point_to(at, line);
    memcpy(size, &room, sizeof room);
}
static void a_day(unsigned char *at) {
    struct tm day;
    memset(&day, 0, sizeof day);
    day.tm_year = 101;
    day.tm_mday = 3;
    memcpy(at, &day, sizeof day);
}
static void an_attr(unsigned char *at) {
    memset(at, 0, sizeof(pthread_attr_t));
    pthread_attr_init((pthread_attr_t *)at);
}
static void a_mutexattr(unsigned char *at) {
    memset(at, 0, sizeof(pthread_mutexattr_t));
    pthread_mutexattr_init((pthread_mutexattr_t *)at);
}
static char content[] = "12 words\nand a second line\n";
static FILE *file(void) { return fmemopen(content, sizeof content - 1, "r"); }
static FILE *wide_file(void) { // a stream in memory has no wide characters
    int fd = memfd_create("text", 0);
    bool written = write(fd, content, sizeof content - 1) > 0 && lseek(fd, 0, SEEK_SET) == 0;
    return written ? fdopen(fd, "r") : NULL;
}
static FILE *sink(void) {
    static char room[256];
    return fmemopen(room, sizeof room, "w");
}
static int zeros(void) { return open("/dev/zero", O_RDONLY); }

// The end of a new pipe that is written to, or the other one, with four bytes in between.
static int pipe_end(void) {
    int ends[2];
    return pipe(ends) == 0 ? ends[1] : -1;
}

static int filled_pipe(void) {
    int ends[2];
    return pipe(ends) == 0 && write(ends[1], "data", 4) == 4 ? ends[0] : -1;
}

static int nowhere(void) { return open("/dev/null", O_WRONLY); }
static int a_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static int by_byte(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int by_byte_told(const void *a, const void *b) {
    return *(const char *)a != *(const char *)b;
}
static locale_t a_locale(void) {
    static locale_t locale;
    return locale ? locale : (locale = newlocale(LC_ALL_MASK, "C", NULL));
}

static char room[256], big_room[1 << 16];

// ---------------------------------------------------------------- streams, descriptors, children

static int memory_file(void) {
    int fd = memfd_create("text", 0);
    bool written = write(fd, content, sizeof content - 1) > 0 && lseek(fd, 0, SEEK_SET) == 0;
    return written ? fd : -1;
}
static FILE *real_file(void) { return fdopen(memory_file(), "r"); }
static FILE *wide_sink(void) { return fdopen(memfd_create("text", 0), "w"); }
static int a_terminal(void) { return open("/dev/ptmx", O_RDWR | O_NOCTTY); }
static int a_slave(void) {
    int fd = a_terminal(), number = 0, zero = 0;
    char name[40];
    ioctl(fd, TIOCSPTLCK, &zero);
    if (ioctl(fd, TIOCGPTN, &number))
        return -1;
    snprintf(name, sizeof name, "/dev/pts/%d", number);
    return open(name, O_RDWR | O_NOCTTY);
}
// Both ends have something to be read, enough for two calls.
static int a_pair(void) {
    int ends[2] = {-1, -1};
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    bool written = write(ends[1], content, 27) == 27 && write(ends[0], content, 27) == 27;
    return written ? ends[0] : -1;
}
static void a_home(unsigned char *at) {
    struct sockaddr_in home = {.sin_family = AF_INET, .sin_port = htons(80)};
    home.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memcpy(at, &home, sizeof home);
}
// A socket that has sent itself two messages.
static int a_datagram(void) {
    struct sockaddr_in self = {.sin_family = AF_INET};
    socklen_t size = sizeof self;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, (struct sockaddr *)&self, size) ||
        getsockname(fd, (struct sockaddr *)&self, &size))
        return -1;
    for (int i = 0; i < 2; i++)
        sendto(fd, "hello", 5, 0, (struct sockaddr *)&self, size);
    return fd;
}
static void unix_address(unsigned char *at, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    memcpy(at, &address, sizeof address);
}
// Two others have connected to it.
static int a_listener(void) {
    struct sockaddr_un self = {.sun_family = AF_UNIX};
    socklen_t size = sizeof self;
    int fd = a_socket();
    if (bind(fd, (struct sockaddr *)&self, sizeof self.sun_family) || listen(fd, 5) ||
        getsockname(fd, (struct sockaddr *)&self, &size))
        return -1;
    for (int i = 0; i < 2; i++)
        connect(a_socket(), (struct sockaddr *)&self, size);
    return fd;
}
static int a_ready_epoll(void) {
    int fd = epoll_create(1);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 5};
    epoll_ctl(fd, EPOLL_CTL_ADD, eventfd(1, 0), &event);
    return fd;
}
static void parts(unsigned char *at, void *first, void *second) {
    struct iovec both[2] = {{first, 4}, {second, 6}};
    memcpy(at, both, sizeof both);
}
static void a_message(unsigned char *at, unsigned char *list, void *first, void *second) {
    struct msghdr message = {.msg_iov = (struct iovec *)list, .msg_iovlen = 2};
    parts(list, first, second);
    memcpy(at, &message, sizeof message);
}
static void no_descriptors(unsigned char *at) { memset(at, 0, sizeof(fd_set)); }
static pid_t a_child(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child;
}
static void *thread_nothing(void *p) { return p; }
static int thrd_nothing(void *p) { return p != NULL; }
static void let_end(void) { usleep(50000); }
static void far_future(unsigned char *at) {
    struct timespec time = {.tv_sec = 1l << 40};
    memcpy(at, &time, sizeof time);
}

// ---------------------------------------------------------------- other things that calls are given

static void no_signal(unsigned char *at) {
    memset(at, 0, sizeof(struct sigevent));
    ((struct sigevent *)at)->sigev_notify = SIGEV_NONE;
}
static timer_t a_timer(void) {
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    timer_t timer = 0;
    timer_create(CLOCK_MONOTONIC, &none, &timer);
    return timer;
}
static void a_pending(unsigned char *at) {
    memset(at, 0, sizeof(sigset_t));
    sigaddset((sigset_t *)at, SIGUSR1);
    sigprocmask(SIG_BLOCK, (sigset_t *)at, NULL);
    raise(SIGUSR1);
}
static void options(unsigned char *at) {
    char *words[] = {"check", "-a", "--long", "more", NULL};
    memcpy(at, words, sizeof words);
    optind = 1;
}
static void a_longopt(unsigned char *at) {
    const struct option list[2] = {{"long", no_argument, NULL, 'l'}, {0}};
    memcpy(at, list, sizeof list);
}
static void a_hint(unsigned char *at) {
    const struct addrinfo hint = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                  .ai_family = AF_INET,
                                  .ai_socktype = SOCK_STREAM};
    memcpy(at, &hint, sizeof hint);
}
static struct dirent *an_entry(const char *name) {
    static struct dirent entries[2];
    struct dirent *entry = &entries[name[0] == 'b'];
    snprintf(entry->d_name, sizeof entry->d_name, "%s", name);
    return entry;
}
static void a_spawnattr(unsigned char *at) {
    memset(at, 0, sizeof(posix_spawnattr_t));
    posix_spawnattr_init((posix_spawnattr_t *)at);
}
static void some_actions(unsigned char *at) {
    memset(at, 0, sizeof(posix_spawn_file_actions_t));
    posix_spawn_file_actions_init((posix_spawn_file_actions_t *)at);
}
static void nothing(void) {}
static void nothing_told(int status, void *p) {}
static int by_byte_of(const void *a, const void *b, void *p) { return by_byte(a, b); }
static int ftw_nothing(const char *path, const struct stat *st, int flag) { return 0; }
static int nftw_nothing(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
    return 0;
}
static int nothing_of_library(struct dl_phdr_info *info, size_t size, void *p) { return 0; }
static pthread_mutex_t ceiling;
static __attribute__((constructor)) void make_ceiling(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutex_init(&ceiling, &attr);
}

// Arguments of a function that takes a list of them: a list whose rest is in memory.
static _Thread_local va_list list;
static _Thread_local uint64_t list_words[4];
static void make_list(const void *p) {
    list_words[0] = (uint64_t)(uintptr_t)p;
#if defined(__x86_64__)
    list->gp_offset = 48;
    list->fp_offset = 304;
    list->overflow_arg_area = list_words;
#else
    list.__stack = list_words;
    list.__gr_offs = list.__vr_offs = 0;
#endif
}
#define LIST(p) (make_list(p), list)

static iconv_t icd;
static timer_t timer;
static DIR *folder;
static pid_t child;
static pthread_t thread;
static pthread_key_t key;
static void *page;

#define memccpy_of_found memccpy
#define strerror_r_of_unknown strerror_r
#define fclose_of_file(f) fclose(f)
#define snprintf_of_string snprintf
#define sscanf_of_rest sscanf
#define putenv_of_name putenv
#define recvfrom_of_sender recvfrom
#define sendto_of_address sendto
#define regcomp_of_letters(to, text, flags) regcomp(to, text, flags)
#define wordfree_of_none(words) (wordfree(words), 0)
#define pthread_getcpuclockid_of_self(thread, to) pthread_getcpuclockid(thread, to)
#define tmpnam_r_of_text(to) tmpnam_r(to)
#define clearerr_of_file(f) (clearerr(f), 0)
#define posix_memalign_of_new(to, align, size) posix_memalign(to, align, size)
#define pipe_of_two(to) pipe(to)

// ---------------------------------------------------------------- what a row says

typedef struct piece {
    unsigned char *at;
    size_t size;
    bool reads, writes;
} piece;

enum { MOST_EXTRA = 8, MOST_PIECES = TSL_LIBC_RANGES + MOST_EXTRA };
enum mode { NATIVE, LEARN, THREADS, INPUTS };
enum result { SAME, ANOTHER, NOTHING };

typedef struct check {
    const tsl_libc *row;
    enum mode mode;
    unsigned pass; // of the two patterns
    enum result kind;
    bool varies;
    uint64_t result[2];
    piece pieces[MOST_PIECES], first[MOST_PIECES]; // behind the call, and before it
    unsigned n, nfirst;
    piece extra[MOST_EXTRA]; // of this call, not of its row: what a format or a list names
    unsigned nextra;
    unsigned char before[sizeof arena], after[2][sizeof arena], changed[sizeof arena];
    pthread_t other;
} check;

static bool in_arena(const void *p) {
    return (const unsigned char *)p >= arena && (const unsigned char *)p < arena + sizeof arena;
}

// The ranges, as far as they lie in the arena; before the call only what it reads.
static void find_pieces(check *t, const uint64_t *args, uint64_t result, bool behind) {
    t->n = 0;
    for (unsigned i = 0; i < TSL_LIBC_RANGES && t->row->ranges[i].how; i++) {
        const tsl_libc_range *r = &t->row->ranges[i];
        if (!behind && (r->arg == TSL_LIBC_RESULT || !(r->how & TSL_LIBC_READS)))
            continue;
        const void *p = tsl_libc_place(r, args, result);
        if (!in_arena(p) ||
            (behind && !(r->how & TSL_LIBC_READS) && !tsl_libc_succeeded(t->row, result)))
            continue;
        t->pieces[t->n++] = (piece){(unsigned char *)p, tsl_libc_length(r, p, args, result),
                                    r->how & TSL_LIBC_READS, r->how & TSL_LIBC_WRITES};
    }
    for (unsigned i = 0; i < t->nextra; i++)
        if (behind || t->extra[i].reads)
            t->pieces[t->n++] = t->extra[i];
}

static void reads(check *t, void *at, size_t size) {
    t->extra[t->nextra++] = (piece){at, size, true, false};
}

static void writes(check *t, void *at, size_t size) {
    t->extra[t->nextra++] = (piece){at, size, false, true};
}

static bool is_in(const check *t, const unsigned char *p, bool reads, bool writes) {
    for (unsigned i = 0; i < t->n; i++)
        if (p >= t->pieces[i].at && p < t->pieces[i].at + t->pieces[i].size &&
            ((reads && t->pieces[i].reads) || (writes && t->pieces[i].writes)))
            return true;
    return false;
}

static const unsigned char patterns[2] = {0xa5, 0x5a};

// Everything but what the row calls read is overwritten.
static void scramble(check *t) {
    for (size_t i = 0; i < sizeof arena; i++)
        if (!is_in(t, arena + i, true, false))
            arena[i] = patterns[t->pass];
    memcpy(t->before, arena, sizeof arena);
}

// ---------------------------------------------------------------- another thread

static FILE *f;
static int fd;
static void *where;
static void *(*access_by)(void *p);
static volatile unsigned char seen;

static void *look(void *p) {
    seen = *(unsigned char *)p; // INSIDE
    return NULL;
}

static void *store(void *p) {
    unsigned char value = *(unsigned char *)p;
    *(unsigned char *)p = value; // INSIDE
    return NULL;
}

static void *store_beside(void *p) {
    unsigned char value = *(unsigned char *)p;
    *(unsigned char *)p = value; // OUTSIDE
    return NULL;
}

// Inputs whose values are what is there.
static void make_inputs(const piece *p) {
    for (size_t i = 0; i < p->size && in_arena(p->at + i); i++) {
        unsigned char byte = teasel_uchar("memory");
        TEASEL_ASSUME(byte == p->at[i]);
        p->at[i] = byte;
    }
}

static void read_elsewhere(void) {
    int ends[2];
    char byte = 'x';
    if (pipe(ends) == 0 && write(ends[1], &byte, 1) == 1)
        seen = (unsigned char)read(ends[0], &byte, 1);
}

static void before(check *t, const uint64_t *args) {
    if (t->mode == INPUTS) {
        find_pieces(t, args, 0, false);
        for (unsigned i = 0; i < t->n; i++)
            if (t->pieces[i].reads && !t->pieces[i].writes)
                make_inputs(&t->pieces[i]);
        return;
    }
    if (t->mode == THREADS) {
        pthread_create(&t->other, NULL, access_by, where);
        return;
    }
    find_pieces(t, args, 0, false);
    t->nfirst = t->n;
    memcpy(t->first, t->pieces, sizeof t->first);
    scramble(t);
}

static void after(check *t, const uint64_t *args, uint64_t result) {
    if (t->mode == INPUTS) {
        read_elsewhere();
        return;
    }
    if (t->mode == THREADS) {
        pthread_join(t->other, NULL);
        return;
    }
    t->result[t->pass] = result;
    memcpy(t->after[t->pass], arena, sizeof arena);
    for (size_t i = 0; i < sizeof arena; i++)
        t->changed[i] |= (unsigned char)((arena[i] != t->before[i]) << t->pass);
    find_pieces(t, args, result, true);
}

// ---------------------------------------------------------------- the calls

// A floating-point argument is none that a row speaks of.
#define WORD(x)                                                                                    \
    _Generic((x), float : 0, double : 0, long double : 0, default : (uint64_t)(uintptr_t)(x))
void (*bsd_signal(int, void (*)(int)))(int); // which no header declares any more
#include "calls.h"

static const tsl_libc *row_of(const char *name) {
    char plain[64];
    const char *cut = strstr(name, "_of_");
    snprintf(plain, sizeof plain, "%.*s", cut ? (int)(cut - name) : 60, name);
    return tsl_libc_find(plain);
}

// ---------------------------------------------------------------- native

static bool fails(const char *name, const char *what, size_t at) {
    printf("# %s: %s, piece %zu byte %zu\n", name, what, at / PIECE, at % PIECE);
    return false;
}

static bool is_true(const check *t, const char *name) {
    for (size_t i = 0; i < sizeof arena; i++) {
        const unsigned char *p = arena + i;
        bool may = is_in(t, p, false, true), exact = may && !is_in(t, p, true, false);
        if (t->changed[i] && !may)
            return fails(name, "is written, and the row does not say so", i);
        if (exact && !t->changed[i])
            return fails(name, "is not written, and the row says so", i);
        if ((exact || t->changed[i] == 3) && !t->varies && t->after[0][i] != t->after[1][i])
            return fails(name, "depends on memory that the row does not call read", i);
    }
    bool same =
        t->kind == NOTHING || t->varies ||
        (t->kind == ANOTHER ? !t->result[0] == !t->result[1] : t->result[0] == t->result[1]);
    return same || fails(name, "returns something else when other memory changes", 0);
}

static bool is_checked(unsigned i, check *t) {
    for (t->pass = 0; t->pass < 2; t->pass++) {
        memset(arena, patterns[t->pass], sizeof arena);
        calls[i].call(t);
    }
    return is_true(t, calls[i].name);
}

static check self;

static void begin(unsigned i, enum mode mode) {
    memset(&self, 0, sizeof self);
    self.row = row_of(calls[i].name);
    self.mode = mode;
}

static int check_natively(void) {
    for (unsigned i = 0; i < NCALLS; i++) {
        begin(i, NATIVE);
        bool ok = self.row && is_checked(i, &self);
        printf("%sok %u - %s\n", ok ? "" : "not ", i + 1, calls[i].name);
        fflush(stdout);
    }
    printf("1..%u\n", (unsigned)NCALLS);
    return 0;
}

// ---------------------------------------------------------------- threads

static void learn(unsigned i) {
    begin(i, LEARN);
    memset(arena, patterns[0], sizeof arena);
    if (self.row)
        calls[i].call(&self);
}

static int print_expected(void) {
    for (unsigned i = 0; i < NCALLS; i++) {
        bool stores = false;
        learn(i);
        for (unsigned k = 0; k < self.n; k++)
            stores |= self.pieces[k].writes;
        if (self.n)
            printf("%u %s %s\n", calls[i].line, calls[i].name, stores ? "stores" : "looks");
    }
    return 0;
}

static bool is_in_first(const unsigned char *p) {
    for (unsigned i = 0; i < self.nfirst; i++)
        if (p >= self.first[i].at && p < self.first[i].at + self.first[i].size)
            return true;
    return false;
}

// What the other thread does; false: there is no such thing.
static bool choose_access(unsigned i) {
    unsigned k = teasel_choose(3 * self.n + 1);
    const piece *p = &self.pieces[k / 3];
    if (k == 3 * self.n) {
        access_by = calls[i].again;
        return true;
    }
    where = k % 3 == 0 ? p->at : p->at + p->size - (k % 3 == 1);
    access_by = k % 3 == 2 ? store_beside : p->writes ? look : store;
    return p->size > 0 && (k % 3 != 2 || !(is_in(&self, where, true, true) || is_in_first(where)));
}

static int run_threads(void) {
    unsigned i = teasel_choose(NCALLS);
    learn(i);
    if (!choose_access(i))
        return 0;
    self.mode = THREADS;
    memset(arena, patterns[0], sizeof arena);
    calls[i].call(&self);
    return 0;
}

// ---------------------------------------------------------------- inputs

static int print_reads(void) {
    for (unsigned i = 0; i < NCALLS; i++) {
        bool any = false;
        learn(i);
        for (unsigned k = 0; k < self.n; k++)
            any |= self.pieces[k].reads && !self.pieces[k].writes;
        if (any)
            printf("%u %s %s\n", calls[i].line, calls[i].name,
                   self.row->flags & TSL_LIBC_FOLLOWS ? "follows" : "loses");
    }
    return 0;
}

static int run_inputs(unsigned line) {
    for (unsigned i = 0; i < NCALLS; i++)
        if (calls[i].line == line) {
            begin(i, INPUTS);
            memset(arena, patterns[0], sizeof arena);
            calls[i].call(&self);
        }
    return 0;
}

// ---------------------------------------------------------------- what one call tells

static int print_told(const char *name) {
    unsigned sum = 0, i = 0;
    while (i < NCALLS && strcmp(calls[i].name, name) != 0)
        i++;
    if (i == NCALLS)
        return 2;
    learn(i);
    for (size_t k = 0; k < sizeof arena; k++)
        sum = sum * 31 + self.after[0][k];
    pthread_create(&thread, NULL, thread_nothing, NULL);
    pthread_join(thread, NULL);
    printf("%u %lx\n", sum, self.kind == NOTHING ? 0 : (unsigned long)self.result[0]);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return check_natively();
    if (strcmp(argv[1], "inputs") == 0)
        return run_inputs((unsigned)atoi(argv[2]));
    if (strcmp(argv[1], "reads") == 0)
        return print_reads();
    if (argc > 2)
        return print_told(argv[2]);
    return strcmp(argv[1], "expect") == 0 ? print_expected() : run_threads();
}
