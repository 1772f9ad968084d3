// Semaphores and message queues of System V, and queues of POSIX, between threads of the process.
//
// Each semaphore and each queue is a channel (channel.c).  Taking one from a semaphore waits like
// reading a pipe, waiting until it is 0 like writing.  A call that waits for something else
// (several semaphores, messages of a type, room for a large message) is a step on all descriptors,
// which is enabled when the kernel would not wait.
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

#include "../notes.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "time.h"

enum { MOST_SEMAPHORES = 64 };

static void touch(tslrt_channel *c) { io_touched(c, 0, SELF->pend.site); }

static void touch_all(int kind, int id) {
    tslrt_channel *c;
    for (int i = 0; (c = tslrt_channel_numbered(kind, id, i)); i++)
        touch(c);
}

// ---------------------------------------------------------------- making them

// Channels are named when their object is made, so that names do not depend on their first uses.
static long made(int kind, long id, int n) {
    if (id < 0 || !io_is_controlled())
        return tslrt_returned(id);
    tslrt_weaken_at(SELF->pend.site, TSL_REASON_OUTSIDE,
                    "numbers of System V queues may be others in every run");
    bool known = tslrt_channel_numbered(kind, (int)id, 0) != NULL;
    for (int i = 0; !known && i < n && n <= MOST_SEMAPHORES; i++)
        tslrt_channel_made_numbered(kind, (int)id, i);
    touch_all(kind, (int)id);
    return io_done(id);
}

static uint32_t begin(void) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    if (io_is_controlled())
        io_step(NULL, site);
    return site;
}

API int semget(key_t key, int n, int flags) {
    begin();
    long id = tslrt_ipc_get(SYS_semget, SYS_semctl, key, (size_t)n, flags);
    struct semid_ds about = {.sem_nsems = (unsigned long)n};
    if (id >= 0)
        tslrt_sys4(SYS_semctl, id, 0, IPC_STAT, &about);
    return (int)made(TSLRT_SEMAPHORE, id, (int)about.sem_nsems);
}

API int msgget(key_t key, int flags) {
    begin();
    long id = tslrt_ipc_get(SYS_msgget, SYS_msgctl, key, 0, flags);
    return (int)made(TSLRT_MESSAGES, id, 1);
}

// ---------------------------------------------------------------- semaphores

typedef struct changes {
    int id;
    const struct sembuf *ops;
    size_t n;
} changes;

// Can all changes be made, one after the other, without waiting?
static bool fits(const changes *c, const unsigned short *values, long nsems) {
    int now[MOST_SEMAPHORES];
    for (long i = 0; i < nsems; i++)
        now[i] = values[i];
    for (size_t i = 0; i < c->n; i++) {
        const struct sembuf *op = &c->ops[i];
        if (op->sem_num >= nsems)
            return true;
        int *value = &now[op->sem_num];
        bool waits = op->sem_op == 0 ? *value != 0 : *value + op->sem_op < 0;
        if (waits)
            return op->sem_flg & IPC_NOWAIT;
        *value += op->sem_op;
    }
    return true;
}

static bool can_change(const void *about) {
    const changes *c = about;
    unsigned short values[MOST_SEMAPHORES];
    struct semid_ds set;
    if (tslrt_sys4(SYS_semctl, c->id, 0, IPC_STAT, &set) < 0 || set.sem_nsems > MOST_SEMAPHORES)
        return true;
    return tslrt_sys4(SYS_semctl, c->id, 0, GETALL, values) < 0 ||
           fits(c, values, (long)set.sem_nsems);
}

// The kind of step, if the call is a step on one channel; else 0.
static unsigned kind_of(const changes *c, bool limited) {
    if (c->n != 1 || c->ops->sem_op < -1)
        return 0;
    return limited || c->ops->sem_op > 0 || c->ops->sem_flg & IPC_NOWAIT ? TSL_EV_IO_TOUCH
           : c->ops->sem_op < 0                                          ? TSL_EV_IO_READ
                                                                         : TSL_EV_IO_WRITE;
}

static long change(const changes *c, const struct timespec *time, uint32_t site) {
    struct timespec none = {0};
    unsigned kind = kind_of(c, time != NULL);
    tslrt_channel *one =
        kind ? tslrt_channel_numbered(TSLRT_SEMAPHORE, c->id, c->ops->sem_num) : NULL;
    tslrt_io io = {.ready = can_change, .about = c};
    bool waits = !time && kind != TSL_EV_IO_TOUCH;
    if (one)
        io_step_on_channel(one, kind, waits ? &io : NULL, site);
    else
        io_step(waits ? &io : NULL, site);
    tslrt_call_reads(c->ops, c->n * sizeof *c->ops, site);
    tslrt_call_reads(time, sizeof *time, site);
    long got = IO_CALL(tslrt_sys4(SYS_semtimedop, c->id, c->ops, c->n, time ? &none : NULL));
    for (size_t i = 0; !one && i < c->n; i++)
        touch(tslrt_channel_numbered(TSLRT_SEMAPHORE, c->id, c->ops[i].sem_num));
    if (got == -EAGAIN && time)
        tslrt_clock_pass((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
    return io_done(got);
}

// semop and semtimedop are no cancellation points.
API int semtimedop(int id, struct sembuf *ops, size_t n, const struct timespec *time) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    if (!io_is_controlled())
        return (int)tslrt_returned(tslrt_sys4(SYS_semtimedop, id, ops, n, time));
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    long got = change(&(changes){id, ops, n}, time, site);
    pthread_setcancelstate(before, NULL);
    return (int)got;
}

API int semop(int id, struct sembuf *ops, size_t n) { return semtimedop(id, ops, n, NULL); }

static void tell_control(int command, const struct semid_ds *set, void *arg, uint32_t site) {
    if (command == IPC_STAT)
        tslrt_call_writes(arg, sizeof(struct semid_ds), site);
    else if (command == IPC_SET)
        tslrt_call_reads(arg, sizeof(struct semid_ds), site);
    else if (command == GETALL)
        tslrt_call_writes(arg, set->sem_nsems * sizeof(unsigned short), site);
    else if (command == SETALL)
        tslrt_call_reads(arg, set->sem_nsems * sizeof(unsigned short), site);
}

API int semctl(int id, int number, int command, ...) {
    struct semid_ds set = {.sem_nsems = 0};
    va_list args;
    va_start(args, command);
    void *arg = va_arg(args, void *);
    va_end(args);
    uint32_t site = begin();
    tslrt_sys4(SYS_semctl, id, 0, IPC_STAT, &set);
    long got = tslrt_sys4(SYS_semctl, id, number, command, arg);
    if (!io_is_controlled())
        return (int)tslrt_returned(got);
    if (got >= 0)
        tell_control(command, &set, arg, site);
    touch_all(TSLRT_SEMAPHORE, id);
    return (int)io_done(got);
}

// ---------------------------------------------------------------- messages

typedef struct wanted {
    int id;
    size_t size; // of a message that is sent
    long type;   // of one that is received
    int flags;
} wanted;

static bool has_room(const void *about) {
    const wanted *w = about;
    struct msqid_ds queue;
    if (tslrt_sys3(SYS_msgctl, w->id, IPC_STAT, &queue) < 0)
        return true;
    return queue.__msg_cbytes + w->size <= queue.msg_qbytes && queue.msg_qnum < queue.msg_qbytes;
}

static bool matches(long type, long asked, int flags) {
    if (asked == 0)
        return true;
    if (asked < 0)
        return type <= -asked;
    return flags & MSG_EXCEPT ? type != asked : type == asked;
}

// Looks at copies of the messages, so that none is taken from the queue.
static bool has_message(const void *about) {
    const wanted *w = about;
    struct {
        long type;
        char text[8];
    } m;
    for (long i = 0;; i++) {
        long got = tslrt_sys5(SYS_msgrcv, w->id, &m, sizeof m.text, i,
                              MSG_COPY | IPC_NOWAIT | MSG_NOERROR);
        if (got == -ENOMSG)
            return false;
        if (got < 0 || matches(m.type, w->type, w->flags))
            return true;
    }
}

// The channel tells only whether there is any message, or any room.
static void wait_at(const wanted *w, unsigned kind, uint32_t site) {
    tslrt_channel *c = tslrt_channel_numbered(TSLRT_MESSAGES, w->id, 0);
    bool reads = kind == TSL_EV_IO_READ, waits = !(w->flags & IPC_NOWAIT);
    tslrt_io io = {.ready = reads ? has_message : has_room, .about = w};
    bool simple = reads ? w->type == 0 : has_room(w) || tslrt_channel_full(c);
    if (c && (simple || !waits))
        io_step_on_channel(c, waits ? kind : TSL_EV_IO_TOUCH, waits ? &io : NULL, site);
    else
        io_step(waits ? &io : NULL, site);
}

static long done(const wanted *w, long got) {
    tslrt_channel *c = tslrt_channel_numbered(TSLRT_MESSAGES, w->id, 0);
    if (c && SELF->io.channel != c)
        touch(c);
    return io_done(got);
}

API int msgsnd(int id, const void *message, size_t size, int flags) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    wanted w = {.id = id, .size = size, .flags = flags};
    if (!io_is_controlled())
        return (int)tslrt_returned(tslrt_sys4(SYS_msgsnd, id, message, size, flags));
    wait_at(&w, TSL_EV_IO_WRITE, site);
    tslrt_call_sends(message, sizeof(long) + size, site);
    return (int)done(&w, IO_CALL(tslrt_sys4(SYS_msgsnd, id, message, size, flags)));
}

API ssize_t msgrcv(int id, void *message, size_t size, long type, int flags) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    wanted w = {.id = id, .type = type, .flags = flags};
    if (!io_is_controlled())
        return tslrt_returned(tslrt_sys5(SYS_msgrcv, id, message, size, type, flags));
    wait_at(&w, TSL_EV_IO_READ, site);
    long got = IO_CALL(tslrt_sys5(SYS_msgrcv, id, message, size, type, flags));
    if (got >= 0)
        tslrt_call_writes(message, sizeof(long) + (size_t)got, site);
    return done(&w, got);
}

API int msgctl(int id, int command, struct msqid_ds *queue) {
    uint32_t site = begin();
    long got = tslrt_sys3(SYS_msgctl, id, command, queue);
    if (!io_is_controlled())
        return (int)tslrt_returned(got);
    if (got >= 0 && queue && command == IPC_SET)
        tslrt_call_reads(queue, sizeof *queue, site);
    else if (got >= 0 && queue && command == IPC_STAT)
        tslrt_call_writes(queue, sizeof *queue, site);
    touch_all(TSLRT_MESSAGES, id);
    return (int)io_done(got);
}

// ---------------------------------------------------------------- queues of POSIX

// A queue is a descriptor.  All descriptors of one queue are one channel.
API mqd_t mq_open(const char *name, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    struct mq_attr *attributes = flags & O_CREAT ? va_arg(args, struct mq_attr *) : NULL;
    va_end(args);
    uint32_t site = begin();
    if (name[0] != '/')
        return (mqd_t)tslrt_fail(EINVAL);
    long fd = tslrt_sys4(SYS_mq_open, name + 1, flags, mode, attributes);
    if (!io_is_controlled())
        return (mqd_t)tslrt_returned(fd);
    tslrt_call_reads(name, strlen(name) + 1, site);
    tslrt_call_reads(attributes, sizeof *attributes, site);
    RUN->libc.queues = true;
    if (fd >= 0 && !tslrt_channel_of((int)fd, false))
        tslrt_channel_made((int)fd, (int)fd);
    if (fd >= 0)
        touch(tslrt_channel_of((int)fd, false));
    return (mqd_t)io_done(fd);
}

API int mq_close(mqd_t queue) { return close(queue); }

// With a time limit the step is always enabled: if the queue is not ready then, the time was up.
static void wait_for_queue(mqd_t queue, short events, const struct timespec *time, uint32_t site) {
    io_step_on_descriptor(queue, events, !time && io_can_block(queue), false, site);
    tslrt_call_reads(time, sizeof *time, site);
}

static long late(long got, const struct timespec *time) {
    if (got == -ETIMEDOUT && time)
        tslrt_clock_reached(CLOCK_REALTIME, time);
    return got;
}

static const struct timespec long_ago;

static int send_to(mqd_t queue, const char *message, size_t size, unsigned priority,
                   const struct timespec *time) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    if (!io_is_controlled())
        return (int)tslrt_returned(
            tslrt_sys5(SYS_mq_timedsend, queue, message, size, priority, time));
    wait_for_queue(queue, POLLOUT, time, site);
    tslrt_call_sends(message, size, site);
    long got = IO_CALL(
        tslrt_sys5(SYS_mq_timedsend, queue, message, size, priority, time ? &long_ago : NULL));
    return (int)io_done(late(got, time));
}

API int mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
                     const struct timespec *time) {
    return send_to(queue, message, size, priority, time);
}

API int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority) {
    return send_to(queue, message, size, priority, NULL);
}

static ssize_t receive(mqd_t queue, char *message, size_t size, unsigned *priority,
                       const struct timespec *time) {
    uint32_t site = tslrt_enter(TSL_EXTERN_LEAKS);
    if (!io_is_controlled())
        return tslrt_returned(
            tslrt_sys5(SYS_mq_timedreceive, queue, message, size, priority, time));
    wait_for_queue(queue, POLLIN, time, site);
    long got = IO_CALL(
        tslrt_sys5(SYS_mq_timedreceive, queue, message, size, priority, time ? &long_ago : NULL));
    if (got >= 0) {
        tslrt_call_writes(message, (uint64_t)got, site);
        tslrt_call_writes(priority, sizeof *priority, site);
    }
    return io_done(late(got, time));
}

API ssize_t mq_timedreceive(mqd_t queue, char *restrict message, size_t size,
                            unsigned *restrict priority, const struct timespec *restrict time) {
    return receive(queue, message, size, priority, time);
}

API ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority) {
    return receive(queue, message, size, priority, NULL);
}
