// flock, fcntl and lockf: locks of files that threads of this process hold against each other.
//
// Waiting in the kernel would stop all threads.  So the kernel is asked for a lock without waiting,
// and a thread that has to wait waits at a condition variable of the runtime, which is signalled
// when a lock is given back.  Each file has one condition variable for flock and one for record
// locks.  As the kernel decides, copies of descriptors, conversions between shared and exclusive,
// and ranges work as usual.  Locks of the process (F_SETLKW, lockf) do not keep its own threads
// apart; locks of an open file (F_OFD_SETLKW) do, even against locks of the process.  If no
// descriptor of this process has the lock, another process has it: then the whole process waits.
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../print.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "flock.h"

// One call: of fcntl, or if the command is 0 of flock, whose operation is `arg`.
typedef struct request {
    int fd, command;
    long arg;
    flock_slot *slot;
    uint32_t site;
} request;

static const struct flock *lock_of(const request *r) { return (const struct flock *)r->arg; }
static bool is_open_file(const request *r) {
    return r->command == F_OFD_SETLK || r->command == F_OFD_SETLKW || r->command == F_OFD_GETLK;
}

// ---------------------------------------------------------------- files

static flock_slot *slot_of(int fd, bool records) {
    struct stat st;
    if (tslrt_sys2(SYS_fstat, fd, &st) != 0)
        return NULL;
    tslrt_registry *reg = tslrt_reg_change();
    for (unsigned i = 0; i < TSLRT_MAX_FLOCKS; i++) {
        flock_slot *slot = &reg->flocks[i];
        if (slot->used && slot->device == st.st_dev && slot->inode == st.st_ino &&
            slot->records == records)
            return slot;
        if (slot->used)
            continue;
        *slot = (flock_slot){.used = true,
                             .records = records,
                             .device = st.st_dev,
                             .inode = st.st_ino,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .given_back = PTHREAD_COND_INITIALIZER};
        return slot;
    }
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "more than %d files are locked: to wait for one of the others stops all threads",
                 TSLRT_MAX_FLOCKS);
    return NULL;
}

static void take(flock_slot *slot, uint32_t site) {
    TSL_HOT->call_site = site;
    pthread_mutex_lock(&slot->lock);
}

static void give(flock_slot *slot, uint32_t site) {
    TSL_HOT->call_site = site;
    pthread_mutex_unlock(&slot->lock);
}

static void wake(flock_slot *slot, uint32_t site) {
    TSL_HOT->call_site = site;
    pthread_cond_broadcast(&slot->given_back);
}

// ---------------------------------------------------------------- who has the lock?

static bool has_lock(const char *text, const flock_slot *slot) {
    char inode[32];
    snprintf(inode, sizeof inode, ":%lu ", (unsigned long)slot->inode);
    for (const char *line = strstr(text, "lock:"); line; line = strstr(line + 1, "lock:")) {
        const char *end = strchr(line, '\n'), *found = strstr(line, inode);
        const char *kind = strstr(line, "FLOCK");
        bool flocked = kind && (!end || kind < end);
        if (found && (!end || found < end) && flocked != slot->records)
            return true;
    }
    return false;
}

// Does this descriptor have a lock of the file?  The kernel says so in /proc.
static bool holds(int fd, const flock_slot *slot) {
    char path[40], text[1024];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    tslrt_read_text(path, text, sizeof text);
    return has_lock(text, slot);
}

static bool is_held_here(const request *r) {
    enum { DESCRIPTORS = 1024 };
    struct flock other = r->command ? *lock_of(r) : (struct flock){0};
    other.l_pid = 0;
    if (r->command) {
        tslrt_sys3(SYS_fcntl, r->fd, is_open_file(r) ? F_OFD_GETLK : F_GETLK, &other);
        if (other.l_type == F_UNLCK || other.l_pid > 0)
            return other.l_type != F_UNLCK && other.l_pid == (pid_t)tslrt_sys0(SYS_getpid);
    }
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        if ((fd != r->fd || (r->command && !is_open_file(r))) && holds(fd, r->slot))
            return true;
    return false;
}

// ---------------------------------------------------------------- waiting

static bool is_flock_wait(const request *r) {
    return !r->command && !(r->arg & (LOCK_NB | LOCK_UN));
}

static bool waits(const request *r) {
    bool wants = r->command == F_SETLKW || r->command == F_OFD_SETLKW;
    return is_flock_wait(r) || (wants && lock_of(r)->l_type != F_UNLCK);
}

static long try_it(const request *r) {
    if (!r->command)
        return tslrt_sys2(SYS_flock, r->fd, waits(r) ? r->arg | LOCK_NB : r->arg);
    int command = r->command == F_SETLKW       ? F_SETLK
                  : r->command == F_OFD_SETLKW ? F_OFD_SETLK
                                               : r->command;
    return tslrt_sys3(SYS_fcntl, r->fd, command, r->arg);
}

// Waits for another process.  The kernel detects when processes wait for each other, but only for
// locks of processes, so only these are waited for in the kernel.
static long wait_outside(const request *r) {
    tslrt_weaken_at(r->site, TSL_REASON_UNCONTROLLED,
                    "%s waits for another process: while it waits, no thread runs",
                    r->command ? "a lock of a file" : "flock");
    if (r->command == F_SETLKW)
        return tslrt_sys3(SYS_fcntl, r->fd, r->command, r->arg);
    struct timespec moment = {.tv_nsec = 1000000};
    tslrt_sys2(SYS_nanosleep, &moment, NULL);
    return -EAGAIN;
}

static long wait_for_lock(const request *r) {
    long got = try_it(r);
    bool told = false;
    while (got == -EAGAIN || got == -EACCES) {
        if (!is_held_here(r)) {
            got = wait_outside(r);
        } else {
            if (!told) // a lock that was to be converted is lost by trying
                wake(r->slot, r->site);
            told = true;
            TSL_HOT->call_site = r->site;
            pthread_cond_wait(&r->slot->given_back, &r->slot->lock);
            got = -EAGAIN;
        }
        if (got == -EAGAIN)
            got = try_it(r);
    }
    return got;
}

static void leave(void *request_of) {
    const request *r = request_of;
    give(r->slot, r->site);
}

static bool gives_way(const request *r) {
    return !waits(r) || (r->command ? lock_of(r)->l_type == F_RDLCK : r->arg & LOCK_SH);
}

static bool is_question(const request *r) {
    return r->command == F_GETLK || r->command == F_OFD_GETLK;
}

static long perform(request *r) {
    long got;
    take(r->slot, r->site);
    pthread_cleanup_push_defer_np(leave, r);
    got = waits(r) ? wait_for_lock(r) : try_it(r);
    if (is_question(r) && got == 0)
        tslrt_call_writes((const void *)r->arg, sizeof(struct flock), r->site);
    else if (gives_way(r))
        wake(r->slot, r->site);
    pthread_cleanup_pop_restore_np(1);
    return got;
}

// ---------------------------------------------------------------- calls

// flock is no cancellation point.
API int flock(int fd, int operation) {
    request r = {.fd = fd, .arg = operation, .site = tslrt_take_site()};
    r.slot = io_is_controlled() ? slot_of(fd, false) : NULL;
    if (!r.slot)
        return (int)tslrt_returned(tslrt_sys2(SYS_flock, fd, operation));
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    long got = perform(&r);
    pthread_setcancelstate(before, NULL);
    return (int)tslrt_returned(got);
}

bool tslrt_is_record_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
           command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

// The step of the call reads the description of the lock.
static void begin_record(const request *r) {
    tslrt_cancel_point_of("fcntl");
    tslrt_call_step(r->site);
    tslrt_call_reads((const void *)r->arg, sizeof(struct flock), r->site);
}

int tslrt_lock_record(int fd, int command, struct flock *lock, uint32_t site) {
    request r = {.fd = fd, .command = command, .arg = (long)lock, .site = site};
    TSL_HOT->call_site = site;
    begin_record(&r);
    r.slot = lock && io_is_controlled() ? slot_of(fd, true) : NULL;
    if (r.slot)
        return (int)tslrt_returned(perform(&r));
    long got = tslrt_sys3(SYS_fcntl, fd, command, lock);
    if (got == 0 && is_question(&r))
        tslrt_call_writes(lock, sizeof *lock, site);
    return (int)tslrt_returned(got);
}

static int test_record(int fd, struct flock *lock, uint32_t site) {
    if (tslrt_lock_record(fd, F_GETLK, lock, site) < 0)
        return -1;
    return lock->l_type == F_UNLCK || lock->l_pid == getpid() ? 0 : tslrt_fail(EACCES);
}

API int lockf(int fd, int command, off_t length) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = length};
    switch (command) {
    case F_TEST:
        lock.l_type = F_RDLCK; // as glibc asks
        return test_record(fd, &lock, site);
    case F_ULOCK:
        lock.l_type = F_UNLCK;
        return tslrt_lock_record(fd, F_SETLK, &lock, site);
    case F_LOCK:
    case F_TLOCK:
        return tslrt_lock_record(fd, command == F_LOCK ? F_SETLKW : F_SETLK, &lock, site);
    default:
        return tslrt_fail(EINVAL);
    }
}

API int lockf64(int fd, int command, off_t length) __attribute__((alias("lockf")));

// ---------------------------------------------------------------- closing

// Closing the last descriptor of an open file releases its locks; closing any descriptor of the
// file releases those of the process.
tslrt_closing tslrt_flock_closing(int fd, uint32_t site) {
    tslrt_closing c = {.site = site};
    tslrt_registry *reg = tslrt_reg();
    struct stat st;
    if (!reg->flocks[0].used || !io_is_controlled() || tslrt_sys2(SYS_fstat, fd, &st) != 0)
        return c;
    for (unsigned i = 0; i < TSLRT_MAX_FLOCKS && reg->flocks[i].used; i++)
        if (reg->flocks[i].device == st.st_dev && reg->flocks[i].inode == st.st_ino && c.n < 2)
            c.slots[c.n++] = &reg->flocks[i];
    for (unsigned i = 0; i < c.n; i++)
        take(c.slots[i], site);
    return c;
}

void tslrt_flock_closed(const tslrt_closing *c) {
    for (unsigned i = c->n; i-- > 0;) {
        wake(c->slots[i], c->site);
        give(c->slots[i], c->site);
    }
}

void tslrt_flock_lost(const char *function, uint32_t site) {
    if (tslrt_reg()->flocks[0].used && io_is_controlled())
        tslrt_weaken_at(site, TSL_REASON_UNCONTROLLED,
                        "%s may give locks of files back, and who waits for one is not told",
                        function);
}
