// Semaphores, unnamed and named.  A wait is enabled while the value is positive.
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "../libc/time.h"
#include "../quick.h"
#include "../sys.h"
#include "objects.h"
#include "sem.h"

typedef struct semaphore { // laid over sem_t, which has no static initialiser
    uint32_t value;
    uint32_t state;
    uint64_t clock;
} semaphore;

_Static_assert(sizeof(semaphore) <= sizeof(sem_t), "fits");

static semaphore *over(const void *sem) { return (semaphore *)sem; }

bool tslrt_sem_takes(const void *sem) {
    return over(sem)->value > 0 || over(sem)->state != TSLRT_ALIVE; // a misuse, which ends the run
}

static void check_usable(const sem_t *s, const char *use) {
    tslrt_check_state(s, over(s)->state, use, "a semaphore");
}

static unsigned value_result(uint32_t value) { return value < 0xffff ? value : 0xffff; }

// The value was not 0 a moment ago.  If another process was faster, this waits for its post.
static void add_among_processes(sem_t *s, uint32_t by) {
    uint32_t value = __atomic_load_n(&over(s)->value, __ATOMIC_RELAXED);
    while ((value == 0 && by != 1) ||
           !__atomic_compare_exchange_n(&over(s)->value, &value, value + by, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        value = __atomic_load_n(&over(s)->value, __ATOMIC_RELAXED);
}

static void add(sem_t *s, uint32_t by) {
    if (RUN->process.had_children || RUN->process.number)
        add_among_processes(s, by);
    else
        over(s)->value += by;
    tslrt_wrote(s, sizeof(semaphore));
    tslrt_changed(s);
}

static void take(sem_t *s) {
    tslrt_clock_take(over(s)->clock);
    add(s, (uint32_t)-1);
}

API int sem_init(sem_t *s, int shared, unsigned value) {
    if (value > 0x7fffffffu)
        return tslrt_fail(EINVAL);
    if (shared)
        tslrt_say("a process-shared semaphore: other processes are not controlled");
    tslrt_op_on(TSL_EV_SEM_INIT, s, TSL_SYNC_SEM);
    tslrt_result(value_result(value));
    memset(s, 0, sizeof *s);
    *over(s) = (semaphore){.value = value, .state = TSLRT_ALIVE};
    tslrt_wrote(s, sizeof *s);
    tslrt_changed(s);
    return 0;
}

API int sem_destroy(sem_t *s) {
    tslrt_op_on(TSL_EV_SEM_DESTROY, s, TSL_SYNC_SEM);
    check_usable(s, "destroy of");
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (f != SELF && f->pend.kind == TSL_EV_SEM_WAIT && f->pend.object == s && !f->enabled)
            tslrt_misuse(s, "destroy of a semaphore that threads wait for");
    over(s)->state = TSLRT_DESTROYED;
    tslrt_wrote(s, sizeof *s);
    return 0;
}

API int sem_wait(sem_t *s) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_cancel_point();
    tslrt_cancellable_op(TSL_EV_SEM_WAIT, s);
    if (SELF->interrupt.refused) {
        SELF->interrupt.refused = false;
        return tslrt_fail(EINTR);
    }
    tslrt_object_check(TSL_EV_SEM_WAIT, s, TSL_SYNC_SEM, site);
    check_usable(s, "wait for");
    take(s);
    return 0;
}

static int try_wait(sem_t *s, int otherwise) {
    uint32_t site = TSL_HOT->call_site;
    if (otherwise == EAGAIN)
        tslrt_op_sized(TSL_EV_SEM_TRYWAIT, s, TSL_SYNC_SEM);
    else
        tslrt_cancellable_op(TSL_EV_SEM_TRYWAIT, s);
    tslrt_object_check(TSL_EV_SEM_TRYWAIT, s, TSL_SYNC_SEM, site);
    check_usable(s, "wait for");
    bool found = over(s)->value > 0;
    if (!found)
        tslrt_result((unsigned)otherwise);
    if (otherwise == ETIMEDOUT && tslrt_interrupt_timed(found))
        return tslrt_fail(EINTR);
    if (!found)
        return tslrt_fail(otherwise);
    take(s);
    return 0;
}

API int sem_trywait(sem_t *s) { return try_wait(s, EAGAIN); }

static int timed_wait(sem_t *s, clockid_t clock, const struct timespec *until) {
    tslrt_cancel_point();
    bool invalid = until->tv_nsec < 0 || until->tv_nsec >= 1000000000;
    int result = try_wait(s, invalid ? EINVAL : ETIMEDOUT);
    if (result != 0 && errno == ETIMEDOUT)
        tslrt_clock_reached(clock, until);
    return result;
}

API int sem_timedwait(sem_t *s, const struct timespec *until) {
    return timed_wait(s, CLOCK_REALTIME, until);
}

API int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return tslrt_fail(EINVAL);
    return timed_wait(s, clock, until);
}

API int sem_post(sem_t *s) {
    tslrt_op_on(TSL_EV_SEM_POST, s, TSL_SYNC_SEM);
    check_usable(s, "post to");
    if (over(s)->value == 0x7fffffffu) {
        tslrt_result(EOVERFLOW);
        return tslrt_fail(EOVERFLOW);
    }
    tslrt_clock_give(&over(s)->clock);
    add(s, 1);
    return 0;
}

API int sem_getvalue(sem_t *s, int *value) {
    tslrt_op_on(TSL_EV_SEM_GET, s, TSL_SYNC_SEM);
    check_usable(s, "look at");
    tslrt_also_writes(value, 2);
    *value = (int)over(s)->value;
    return 0;
}

// ---------------------------------------------------------------- named: they belong to the run

static named_sem *find(const char *name) {
    tslrt_registry *reg = tslrt_reg_change();
    for (unsigned i = 0; i < TSLRT_MAX_SEMS; i++)
        if (reg->sems[i].used && !reg->sems[i].unlinked && strcmp(reg->sems[i].name, name) == 0)
            return &reg->sems[i];
    return NULL;
}

// The semaphore's address depends on its name, not on which thread opens one first.
static named_sem *make(const char *name, unsigned value) {
    tslrt_registry *reg = tslrt_reg_change();
    unsigned first = 0;
    for (const char *c = name; *c; c++)
        first = first * 31 + (unsigned char)*c;
    for (unsigned i = 0; i < TSLRT_MAX_SEMS; i++) {
        named_sem *s = &reg->sems[(first + i) % TSLRT_MAX_SEMS];
        if (s->used)
            continue;
        *s = (named_sem){.used = true};
        strcpy(s->name, name);
        *over(s->sem) = (semaphore){.value = value, .state = TSLRT_ALIVE};
        return s;
    }
    return NULL;
}

// The step reads or changes the table of names.
static void use_names(unsigned role) { tslrt_call_uses(TSL_STATE_QUEUES, role); }

static sem_t *refuse(int error) {
    use_names(TSL_ROLE_READ);
    errno = error;
    return SEM_FAILED;
}

API sem_t *sem_open(const char *name, int flags, ...) {
    tslrt_say("named semaphores are the run's own: other processes do not see them");
    tslrt_op(TSL_EV_SEM_INIT, NULL);
    if (strlen(name) >= sizeof((named_sem *)0)->name)
        return refuse(ENAMETOOLONG);
    if (name[0] != '/' || !name[1])
        return refuse(EINVAL);
    named_sem *s = find(name);
    if (s && (flags & O_CREAT) && (flags & O_EXCL))
        return refuse(EEXIST);
    if (!s && !(flags & O_CREAT))
        return refuse(ENOENT);
    if (!s) {
        va_list args;
        va_start(args, flags);
        (void)va_arg(args, mode_t);
        unsigned value = va_arg(args, unsigned);
        va_end(args);
        if (value > 0x7fffffffu)
            return refuse(EINVAL);
        s = make(name, value);
    }
    if (!s)
        return refuse(ENOSPC);
    s->opens++;
    TSL_HOT->cursor[-1].addr = (uintptr_t)s->sem & 0xffffffffffffull;
    tslrt_result(value_result(over(s->sem)->value));
    use_names(s->opens == 1 ? TSL_ROLE_WRITE : TSL_ROLE_READ);
    return (sem_t *)s->sem;
}

API int sem_close(sem_t *sem) {
    tslrt_registry *reg = tslrt_reg_change();
    for (unsigned i = 0; i < TSLRT_MAX_SEMS; i++) {
        named_sem *s = &reg->sems[i];
        if (!s->used || (sem_t *)s->sem != sem)
            continue;
        if (s->opens)
            s->opens--;
        if (!s->opens && s->unlinked)
            s->used = false;
        return 0;
    }
    return tslrt_fail(EINVAL);
}

API int sem_unlink(const char *name) {
    tslrt_state_step(TSL_STATE_QUEUES, TSL_ROLE_WRITE);
    named_sem *s = find(name);
    if (!s)
        return tslrt_fail(ENOENT);
    s->unlinked = true;
    if (!s->opens)
        s->used = false;
    return 0;
}
