// Calls that wait in the kernel for what another thread does: it runs meanwhile.
// teasel: strategies=optimal,random runs=300 determinism=no
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2], set, queue, x;
static mqd_t posix;
static char fifo[64];
static atomic_int one, other;

static void *helper(void *arg) {
    struct sembuf up = {.sem_op = 1};
    struct {
        long type;
        char text;
    } message = {2, 'm'};
    x = 1;
    assert(semop(set, &up, 1) == 0);
    assert(msgsnd(queue, &message, 1, 0) == 0);
    assert(mq_send(posix, "q", 1, 0) == 0);
    int out = open(fifo, O_WRONLY);
    assert(write(out, "f", 1) == 1 && write(ends[1], "p", 1) == 1);
    close(out);
    one = 1;
    syscall(SYS_futex, &one, FUTEX_WAKE_OP, 1, 1L, &other,
            FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
    return arg;
}

static void wait_for_child(void) {
    char c;
    pid_t child = fork();
    if (child == 0)
        _exit(read(ends[0], &c, 1) == 1 ? 7 : 1);
    int status;
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}

int main(void) {
    pthread_t t;
    char c, room[8];
    struct sembuf down = {.sem_op = -1};
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 8};
    struct itimerspec late = {.it_value = {.tv_sec = 100}};
    struct {
        long type;
        char text;
    } message;
    char real[16] = ""; // process numbers are the same in every run, also of two campaigns at once
    assert(readlink("/proc/self", real, sizeof real - 1) > 0);
    snprintf(fifo, sizeof fifo, "/tmp/teasel-waits-%s", real);
    unlink(fifo);
    assert(pipe(ends) == 0 && mkfifo(fifo, 0600) == 0);
    set = semget(IPC_PRIVATE, 1, 0600);
    queue = msgget(IPC_PRIVATE, 0600);
    posix = mq_open(fifo + 4, O_CREAT | O_RDWR, 0600, &small);
    mq_unlink(fifo + 4);
    pthread_create(&t, NULL, helper, NULL);
    assert(semop(set, &down, 1) == 0 && x == 1);
    assert(msgrcv(queue, &message, 1, 2, 0) == 1 && message.text == 'm');
    assert(mq_receive(posix, room, sizeof room, NULL) == 1 && room[0] == 'q');
    int in = open(fifo, O_RDONLY);
    assert(read(in, &c, 1) == 1 && c == 'f' && read(in, &c, 1) == 0);
    wait_for_child();
    syscall(SYS_futex, &one, FUTEX_WAIT, 0, NULL, NULL, 0);
    pthread_join(t, NULL);
    assert(other == 1);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &late, NULL);
    assert(read(timer, room, 8) == 8);
    semctl(set, 0, IPC_RMID);
    msgctl(queue, IPC_RMID, NULL);
    unlink(fifo);
    return 0;
}
