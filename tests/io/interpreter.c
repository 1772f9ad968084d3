// Runs a random program over pipes, sockets, files, time and raw system calls, given as words:
//
//     interpreter OPS OPS [OPS]      one word per thread, one letter per operation
//
// What each thread finds (return values, errors, bytes) is folded into a number, and all of these into
// the final state.  tests/io/generate writes states.h, which has one line for each of 256 final states:
// which of these lines a campaign has covered tells which states it has seen.  They are held to those of dfs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "states.h" // int end(unsigned state)

// Descriptors have fixed numbers, so that no thread needs to look them up in memory.
enum {
    P_IN = 100,
    P_OUT,
    Q_IN,
    Q_OUT,
    S_LEFT,
    S_RIGHT,
    FILE_FD,
    EVENT_FD,
    P_IN_TOO,  // a duplicate
    P_OUT_TOO, // a duplicate
    D_LEFT,    // datagrams
    D_RIGHT,
    N_IN, // a pipe that does not block
    N_OUT,
    F_IN, // a pipe that holds one page
    F_OUT,
    SEMAPHORE_FD,
    EPOLL_FD,          // watches P_IN and Q_IN
    WRITABLE_EPOLL_FD, // watches F_OUT
    LISTEN_FD,
    APPEND_FD, // writes at the end
    FIFO_FD,
    TIMER_FD,
    QUEUE_FD // of POSIX, with room for one message
};

static int shared; // plain
static const char big[70000];
static FILE *stream_in, *stream_out; // on a pipe
static int semaphores;               // a set of System V

static unsigned saw(long got, char byte) {
    return got < 0 ? 200u + (unsigned)errno : (unsigned)got * 31u + (got ? (unsigned char)byte : 0);
}

static unsigned ready(int fd, short events, int ms) {
    struct pollfd one = {.fd = fd, .events = events};
    return saw(poll(&one, 1, ms), 0) + (unsigned)one.revents;
}

static unsigned ready_of_two(int ms) {
    struct pollfd two[2] = {{.fd = P_IN, .events = POLLIN}, {.fd = Q_IN, .events = POLLIN}};
    return saw(poll(two, 2, ms), 0) + (unsigned)two[0].revents + 3u * (unsigned)two[1].revents;
}

static unsigned selected(int fd) {
    fd_set set;
    struct timeval none = {0};
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return saw(select(fd + 1, &set, NULL, NULL, &none), 0);
}

static unsigned size_of_file(void) {
    struct stat st;
    fstat(FILE_FD, &st);
    return (unsigned)st.st_size;
}

static unsigned event(bool add) {
    uint64_t n = 1;
    return add ? saw(write(EVENT_FD, &n, 8), 0) : saw(read(EVENT_FD, &n, 8), (char)n);
}

static unsigned seconds(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (unsigned)ts.tv_nsec;
}

static unsigned new_descriptor(void) {
    int fd = dup(Q_IN);
    close(fd);
    return (unsigned)fd;
}

// A buffer that is read only if something was written to it: fewer steps for dfs to interleave.
static unsigned got(int fd, bool raw) {
    char c;
    long n = raw ? syscall(SYS_read, fd, &c, 1L) : read(fd, &c, 1);
    return saw(n, n > 0 ? c : 0);
}

static unsigned got_two(int fd) {
    char two[2];
    long n = read(fd, two, 2);
    return saw(n, n > 0 ? two[0] : 0) * 7 + (n > 1 ? (unsigned char)two[1] : 0);
}

static unsigned received(int fd, int flags) {
    char c;
    long n = recv(fd, &c, 1, flags);
    return saw(n, n > 0 ? c : 0);
}

static unsigned first_of_file(void) {
    char c;
    long n = pread(FILE_FD, &c, 1, 0);
    return saw(n, n > 0 ? c : 0);
}

static unsigned drawn(void) {
    char c;
    long n = getrandom(&c, 1, 0);
    return saw(n, c);
}

static unsigned waited(int fd, int ms) {
    struct epoll_event seen[2] = {{0}};
    int n = epoll_wait(fd, seen, 2, ms);
    return saw(n, 0) + (n > 0 ? seen[0].events * 3 + seen[0].data.u32 * 5 : 0) +
           (n > 1 ? seen[1].events * 7 + seen[1].data.u32 * 11 : 0);
}

static unsigned scattered(int fd) {
    char a[1], b[1];
    struct iovec parts[2] = {{a, 1}, {b, 1}};
    long n = readv(fd, parts, 2);
    return saw(n, n > 0 ? a[0] : 0) * 7 + (n > 1 ? (unsigned char)b[0] : 0);
}

static unsigned gathered(int fd, char own) {
    struct iovec parts[2] = {{own & 1 ? "x" : "y", 1}, {"2", 1}};
    return saw(writev(fd, parts, 2), 0);
}

static unsigned drained(int fd) {
    static __thread char page[4096];
    long n = read(fd, page, sizeof page);
    return saw(n, 0);
}

static unsigned message(int fd, int flags) {
    char two[2];
    struct iovec part = {two, 2};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    long n = recvmsg(fd, &m, flags);
    return saw(n, n > 0 ? two[0] : 0) + (unsigned)m.msg_flags;
}

static unsigned waiting_bytes(int fd) {
    int n = 0;
    int failed = ioctl(fd, FIONREAD, &n);
    return failed ? saw(-1, 0) : (unsigned)n;
}

// A child that writes a byte and ends.
static unsigned child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        write(Q_OUT, "c", 1);
        _exit(3);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return (unsigned)WEXITSTATUS(status);
}

static unsigned next_of_file(void) {
    char c;
    long n = read(FILE_FD, &c, 1);
    return saw(n, n > 0 ? c : 0);
}

static unsigned semaphore(bool add) {
    uint64_t n = 2;
    return add ? saw(write(SEMAPHORE_FD, &n, 8), 0) : saw(read(SEMAPHORE_FD, &n, 8), (char)n);
}

static unsigned selected_soon(int fd) {
    fd_set set;
    struct timeval soon = {.tv_usec = 1000};
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return saw(select(fd + 1, &set, NULL, NULL, &soon), 0);
}

static unsigned not_watched(void) { return saw(epoll_ctl(EPOLL_FD, EPOLL_CTL_DEL, P_IN, NULL), 0); }

static unsigned does_not_block(int fd) { return saw(fcntl(fd, F_SETFL, O_NONBLOCK), 0); }

static struct sockaddr_un address(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "socket"};
    return to;
}

static unsigned accepted(void) {
    char c;
    int fd = accept(LISTEN_FD, NULL, NULL);
    long n = fd < 0 ? fd : read(fd, &c, 1);
    unsigned state = saw(n, n > 0 ? c : 0);
    close(fd);
    return state;
}

static unsigned connected(char own) {
    struct sockaddr_un to = address();
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int failed = connect(fd, (const struct sockaddr *)&to, sizeof to);
    unsigned state = saw(failed ? failed : write(fd, own & 1 ? "x" : "y", 1), 0);
    close(fd);
    return state;
}

static unsigned raw_first_of_file(void) {
    char c;
    long n = syscall(SYS_pread64, FILE_FD, &c, 1L, 0L);
    return saw(n, n > 0 ? c : 0);
}

static unsigned opened(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    unsigned state = saw(fd < 0 ? -1 : 0, 0);
    close(fd);
    return state;
}

static unsigned size_of(const char *path) {
    struct stat st;
    return stat(path, &st) ? saw(-1, 0) : (unsigned)st.st_size;
}

static unsigned expired(void) {
    uint64_t n;
    return saw(read(TIMER_FD, &n, sizeof n), 0);
}

static unsigned changed(int by) {
    struct sembuf one = {.sem_op = (short)by};
    return saw(semop(semaphores, &one, 1), 0);
}

static unsigned printed(char own) {
    int n = fprintf(stream_out, "%c\n", own & 1 ? 'x' : 'y');
    return saw(fflush(stream_out) ? -1 : n, 0);
}

static unsigned got_line(void) {
    char line[8];
    char *text = fgets(line, sizeof line, stream_in);
    return text ? saw((long)strlen(text), text[0]) : 5;
}

static unsigned taken_from_queue(void) {
    char message[8];
    long n = mq_receive(QUEUE_FD, message, sizeof message, NULL);
    return saw(n, n > 0 ? message[0] : 0);
}

static unsigned run_waits(char op, char own) {
    switch (op) {
    case '.':
        return printed(own);
    case '|':
        return saw(getc(stream_in) == 'x', 0);
    case '"':
        return got_line();
    case '}':
        return changed(-1);
    case '~':
        return changed(1);
    case '\'':
        return saw(mq_send(QUEUE_FD, own & 1 ? "x" : "y", 1, 0), 0);
    case '\\':
        return taken_from_queue();
    default:
        return 0;
    }
}

static unsigned run_rest(char op, char own) {
    const char *byte = own & 1 ? "x" : "y";
    switch (op) {
    case '!':
        return saw(syscall(SYS_pwrite64, FILE_FD, byte, 1L, 0L), 0);
    case '#':
        return raw_first_of_file();
    case '$':
        return saw(syscall(SYS_lseek, FILE_FD, 1L, SEEK_SET), 0);
    case '%':
        return saw(syscall(SYS_ftruncate, FILE_FD, 0L), 0);
    case '&':
        return saw(pwrite(FILE_FD, byte, 1, 1), 0);
    case '(':
        return accepted();
    case ')':
        return connected(own);
    case '*':
        return ready(LISTEN_FD, POLLIN, 0);
    case ',':
        return saw(write(APPEND_FD, byte, 1), 0);
    case ':':
        return saw(rename("A", "B"), 0);
    case ';':
        return saw(unlink("B"), 0);
    case '<':
        return opened("A", O_RDONLY);
    case '>':
        return opened("B", O_RDWR | O_CREAT | O_EXCL);
    case '?':
        return saw(access("A", F_OK), 0);
    case '@':
        return size_of("B");
    case '[':
        return saw(link("A", "B"), 0);
    case ']':
        return saw(mkdir("C", 0700), 0);
    case '^':
        return saw(rmdir("C"), 0);
    case '_':
        return saw(write(FIFO_FD, byte, 1), 0);
    case '`':
        return got(FIFO_FD, false);
    case '{':
        return expired();
    default:
        return run_waits(op, own);
    }
}

static unsigned run_more(char op, char own) {
    switch (op) {
    case 'I':
        return waited(EPOLL_FD, 0);
    case 'J':
        return waited(EPOLL_FD, -1);
    case 'K':
        return saw(send(D_LEFT, own & 1 ? "ab" : "cd", 2, MSG_NOSIGNAL), 0);
    case 'L':
        return received(D_RIGHT, 0);
    case 'M':
        return message(D_RIGHT, MSG_DONTWAIT);
    case 'N':
        return saw(write(N_OUT, own & 1 ? "x" : "y", 1), 0);
    case 'O':
        return got(N_IN, false);
    case 'P':
        return saw(write(N_OUT, big, sizeof big), 0);
    case 'Q':
        return ready(P_IN, POLLIN, 10);
    case 'R':
        return selected_soon(P_IN);
    case 'S':
        return got(P_IN_TOO, false);
    case 'T':
        return saw(close(P_IN_TOO), 0);
    case 'U':
        return saw(close(P_OUT_TOO), 0);
    case 'V':
        return gathered(P_OUT, own);
    case 'W':
        return scattered(P_IN);
    case 'X':
        return saw(write(F_OUT, big, 4096), 0);
    case 'Y':
        return drained(F_IN);
    case 'Z':
        return child();
    case '0':
        return does_not_block(P_IN);
    case '1':
        return waiting_bytes(P_IN);
    case '2':
        return not_watched();
    case '3':
        return message(S_RIGHT, MSG_PEEK);
    case '4':
        return semaphore(true);
    case '5':
        return semaphore(false);
    case '6':
        return next_of_file();
    case '7':
        return saw(lseek(FILE_FD, 0, SEEK_SET), 0);
    case '8':
        return saw(dup2(Q_IN, P_IN), 0);
    case '9':
        return saw(shutdown(D_RIGHT, SHUT_RD), 0);
    case '+':
        return saw(ftruncate(FILE_FD, 2), 0);
    case '-':
        return waited(WRITABLE_EPOLL_FD, -1);
    case '/':
        return ready(F_OUT, POLLOUT, -1);
    case '=':
        return waited(EPOLL_FD, 10);
    default:
        return run_rest(op, own);
    }
}

static unsigned run(char op, char own) {
    switch (op) {
    case 'a':
        return saw(write(P_OUT, own & 1 ? "x" : "y", 1), 0);
    case 'b':
        return got(P_IN, false);
    case 'c':
        return saw(write(Q_OUT, own & 1 ? "v" : "w", 1), 0);
    case 'd':
        return got(Q_IN, false);
    case 'e':
        return saw(send(S_LEFT, own & 1 ? "l" : "m", 1, MSG_NOSIGNAL), 0);
    case 'f':
        return received(S_RIGHT, 0);
    case 'g':
        return saw(send(S_RIGHT, own & 1 ? "r" : "s", 1, MSG_NOSIGNAL), 0);
    case 'h':
        return received(S_LEFT, 0);
    case 'i':
        return received(S_RIGHT, MSG_DONTWAIT);
    case 'j':
        return saw(close(P_OUT), 0);
    case 'k':
        return saw(close(P_IN), 0);
    case 'l':
        return saw(shutdown(S_LEFT, SHUT_WR), 0);
    case 'm':
        return got_two(P_IN);
    case 'n':
        return ready(P_IN, POLLIN, 0);
    case 'o':
        return ready(P_IN, POLLIN, -1);
    case 'p':
        return ready_of_two(0);
    case 'q':
        return selected(Q_IN);
    case 'r':
        return saw(write(FILE_FD, own & 1 ? "1" : "2", 1), 0);
    case 's':
        return first_of_file();
    case 't':
        return size_of_file();
    case 'u':
        return event(true);
    case 'v':
        return event(false);
    case 'w':
        return seconds();
    case 'x':
        return (unsigned)syscall(SYS_gettid) - (unsigned)syscall(SYS_getpid);
    case 'y':
        return saw(syscall(SYS_write, P_OUT, "z", 1L), 0);
    case 'z':
        return got(P_IN, true);
    case 'A':
        return drawn();
    case 'B':
        return (unsigned)syscall(SYS_getppid) & 3u;
    case 'C':
        return new_descriptor();
    case 'D':
        return (unsigned)time(NULL);
    case 'E':
        return (unsigned)(shared = own);
    case 'F':
        return (unsigned)shared;
    case 'G':
        return saw(write(P_OUT, big, sizeof big), 0);
    case 'H':
        return ready_of_two(-1);
    default:
        return run_more(op, own);
    }
}

// Up to seven operations, eight bits each, in a register.
static void *thread(void *arg) {
    uint64_t ops = (uint64_t)(uintptr_t)arg;
    unsigned state = 17;
    for (char own = (char)(ops & 7), op; (op = (char)((ops >>= 8) & 255));)
        state = state * 131 + run(op, own);
    return (void *)(uintptr_t)state;
}

static void place(int fd, int to) {
    dup2(fd, to);
    close(fd);
}

static void watch(int epoll, int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.u32 = (uint32_t)fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static void open_more(void) {
    int d[2], n[2], f[2];
    dup2(P_IN, P_IN_TOO);
    dup2(P_OUT, P_OUT_TOO);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, d);
    pipe2(n, O_NONBLOCK);
    pipe(f);
    fcntl(f[1], F_SETPIPE_SZ, 4096);
    place(d[0], D_LEFT);
    place(d[1], D_RIGHT);
    place(n[0], N_IN);
    place(n[1], N_OUT);
    place(f[0], F_IN);
    place(f[1], F_OUT);
    place(eventfd(0, EFD_SEMAPHORE), SEMAPHORE_FD);
    place(epoll_create1(0), EPOLL_FD);
    place(epoll_create1(0), WRITABLE_EPOLL_FD);
    watch(EPOLL_FD, P_IN, EPOLLIN);
    watch(EPOLL_FD, Q_IN, EPOLLIN);
    watch(WRITABLE_EPOLL_FD, F_OUT, EPOLLOUT);
}

// Files and a listening socket in the folder that the program is run in, as if it were the first time.
static void open_rest(void) {
    struct sockaddr_un at = address();
    struct itimerspec often = {{0, 1000}, {0, 1000}};
    unlink("B");
    rmdir("C");
    unlink("socket");
    unlink("fifo");
    mkfifo("fifo", 0600);
    place(open("A", O_RDWR | O_CREAT | O_TRUNC, 0600), APPEND_FD);
    fcntl(APPEND_FD, F_SETFL, O_APPEND);
    place(open("fifo", O_RDWR), FIFO_FD);
    place(socket(AF_UNIX, SOCK_STREAM, 0), LISTEN_FD);
    bind(LISTEN_FD, (const struct sockaddr *)&at, sizeof at);
    listen(LISTEN_FD, 4);
    place(timerfd_create(CLOCK_MONOTONIC, 0), TIMER_FD);
    timerfd_settime(TIMER_FD, 0, &often, NULL);
}

static void open_waits(void) {
    int ends[2];
    struct stat here;
    struct mq_attr one = {.mq_maxmsg = 1, .mq_msgsize = 8};
    char name[32];
    stat(".", &here);
    snprintf(name, sizeof name, "/teasel-io-%lu", (unsigned long)here.st_ino);
    mq_unlink(name);
    place(mq_open(name, O_CREAT | O_RDWR, 0600, &one), QUEUE_FD);
    mq_unlink(name);
    pipe(ends);
    stream_in = fdopen(ends[0], "r");
    stream_out = fdopen(ends[1], "w");
}

// One set of semaphores for all runs in a folder: a run that deadlocks does not remove it.
static void open_semaphores(void) {
    struct stat here;
    stat(".", &here);
    semaphores = semget((key_t)(here.st_ino & 0x7fffffff), 1, IPC_CREAT | 0600);
    semctl(semaphores, 0, SETVAL, 1);
}

// The other parts only if an operation needs them: every descriptor is work for each run.
static void open_all(bool more, bool rest, bool waits) {
    int p[2], q[2], s[2];
    pipe(p);
    pipe(q);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    int file = memfd_create("file", 0), event = eventfd(0, 0);
    place(p[0], P_IN);
    place(p[1], P_OUT);
    place(q[0], Q_IN);
    place(q[1], Q_OUT);
    place(s[0], S_LEFT);
    place(s[1], S_RIGHT);
    place(file, FILE_FD);
    place(event, EVENT_FD);
    if (more)
        open_more();
    if (rest)
        open_rest();
    if (waits)
        open_waits();
}

static void *ops_of(const char *word, unsigned number) {
    uint64_t ops = 0;
    for (size_t i = strlen(word); i-- > 0;)
        ops = ops << 8 | (unsigned char)word[i];
    return (void *)(uintptr_t)(ops << 8 | number);
}

static bool has_any(int argc, char **argv, const char *ops) {
    for (int i = 1; i < argc; i++)
        if (strpbrk(argv[i], ops))
            return true;
    return false;
}

int main(int argc, char **argv) {
    pthread_t threads[3];
    void *results[3] = {0};
    int n = argc - 1 < 3 ? argc - 1 : 3;
    signal(SIGPIPE, SIG_IGN);
    open_all(has_any(argc, argv, "IJKLMNOPQRSTUVWXYZ0123456789+-/="),
             has_any(argc, argv, "()*,:;<>?@[]^_`{"), has_any(argc, argv, ".|\"'\\"));
    if (has_any(argc, argv, "}~"))
        open_semaphores();
    void *first = n > 0 ? ops_of(argv[1], 1) : NULL, *second = n > 1 ? ops_of(argv[2], 2) : NULL;
    void *third = n > 2 ? ops_of(argv[3], 3) : NULL;
    if (n > 0)
        pthread_create(&threads[0], NULL, thread, first);
    if (n > 1)
        pthread_create(&threads[1], NULL, thread, second);
    if (n > 2)
        pthread_create(&threads[2], NULL, thread, third);
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], &results[t]);
    unsigned state = 0;
    for (int t = 0; t < n; t++)
        state = state * 1000003 + (unsigned)(uintptr_t)results[t];
    state ^= state >> 16;
    state ^= state >> 8;
    end(state);
    if (semaphores)
        semctl(semaphores, 0, IPC_RMID);
    return 0;
}
