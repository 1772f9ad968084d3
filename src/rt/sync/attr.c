// Attributes: what a program sets, it can read back.
//
// Setting an attribute writes all attributes of the object, and getting one reads them.  The value
// is given to the program by a write of its own.  What has no effect is remembered, too: a
// scheduler that tries every order needs no priorities, and fibers run on the runtime's stacks.
#include "attr.h"

#include <string.h>

#include "objects.h"

static void give(void *to, const void *value, size_t size) {
    tslrt_writes(to, size);
    memcpy(to, value, size);
}

// Defines the functions that make and destroy attributes.  `of` is the middle of their names; the
// initial values follow, and all others are 0.
#define ATTRIBUTES(of, ...)                                                                        \
    _Static_assert(sizeof(tslrt_##of) <= sizeof(pthread_##of##_t), "fits");                        \
    API int pthread_##of##_init(pthread_##of##_t *attr) {                                          \
        tslrt_writes(attr, sizeof *attr);                                                          \
        memset(attr, 0, sizeof *attr);                                                             \
        *(tslrt_##of *)attr = (tslrt_##of){__VA_ARGS__};                                           \
        return 0;                                                                                  \
    }                                                                                              \
    API int pthread_##of##_destroy(pthread_##of##_t *attr) {                                       \
        tslrt_writes(attr, sizeof *attr);                                                          \
        return 0;                                                                                  \
    }

// Defines the function that sets an attribute to `value`, and returns `error` if that is not 0.
#define SETS(of, name, type, field, error)                                                         \
    API int pthread_##of##_set##name(pthread_##of##_t *attr, type value) {                         \
        int refused = (error);                                                                     \
        if (refused)                                                                               \
            return refused;                                                                        \
        tslrt_writes(attr, sizeof *attr);                                                          \
        ((tslrt_##of *)attr)->field = value;                                                       \
        return 0;                                                                                  \
    }

// Defines the functions that set and get an attribute.
#define ATTRIBUTE(of, name, type, field, error)                                                    \
    SETS(of, name, type, field, error)                                                             \
    API int pthread_##of##_get##name(const pthread_##of##_t *attr, type *value) {                  \
        tslrt_reads_first(attr, sizeof *attr);                                                     \
        type now = ((const tslrt_##of *)attr)->field;                                              \
        give(value, &now, sizeof now);                                                             \
        return 0;                                                                                  \
    }

// The values that glibc defines are 0, 1, ...
static int one_of(int n, int value) { return value >= 0 && value < n ? 0 : EINVAL; }

// ---------------------------------------------------------------- of synchronisation objects

static int shares_mutex(int shared) {
    if (shared == PTHREAD_PROCESS_SHARED)
        tslrt_say("a process-shared mutex: other processes are not controlled");
    return one_of(2, shared);
}

ATTRIBUTES(mutexattr, 0)
ATTRIBUTE(mutexattr, type, int, type, one_of(4, value))
ATTRIBUTE(mutexattr, robust, int, robust, one_of(2, value))
ATTRIBUTE(mutexattr, pshared, int, shared, shares_mutex(value))
ATTRIBUTE(mutexattr, protocol, int, protocol, one_of(3, value))

ATTRIBUTES(condattr, 0)
ATTRIBUTE(condattr, clock, clockid_t, clock, one_of(2, value))
ATTRIBUTE(condattr, pshared, int, shared, one_of(2, value))

ATTRIBUTES(rwlockattr, 0)
ATTRIBUTE(rwlockattr, kind_np, int, kind, one_of(3, value))
ATTRIBUTE(rwlockattr, pshared, int, shared, one_of(2, value))

ATTRIBUTES(barrierattr, 0)
ATTRIBUTE(barrierattr, pshared, int, shared, one_of(2, value))

// ---------------------------------------------------------------- of threads

enum { GUARD = 4096, LEAST_STACK = 16384 };

static tslrt_attr *over(const pthread_attr_t *attr) { return (tslrt_attr *)attr; }

static tslrt_attr *defaults(void) { return &RUN->defaults.attributes; }

static size_t default_stack(void) {
    return defaults()->stack_size ? defaults()->stack_size : TSL_STACK_SIZE;
}

static int scope_error(int scope) {
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

ATTRIBUTES(attr, .guard_size = GUARD)
ATTRIBUTE(attr, detachstate, int, detached, one_of(2, value))
ATTRIBUTE(attr, guardsize, size_t, guard_size, 0)
ATTRIBUTE(attr, inheritsched, int, inherit, one_of(2, value))
ATTRIBUTE(attr, schedpolicy, int, policy, one_of(3, value))
ATTRIBUTE(attr, scope, int, scope, scope_error(value))
SETS(attr, stacksize, size_t, stack_size, value < LEAST_STACK ? EINVAL : 0)

API int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
    tslrt_reads_first(attr, sizeof *attr);
    size_t now = over(attr)->stack_size ? over(attr)->stack_size : default_stack();
    give(size, &now, sizeof now);
    return 0;
}

API int pthread_attr_setsigmask_np(pthread_attr_t *attr, const sigset_t *mask) {
    tslrt_reads_first(mask, sizeof *mask);
    tslrt_writes(attr, sizeof *attr);
    over(attr)->has_mask = mask != NULL;
    over(attr)->mask = mask ? *(const uint64_t *)mask : 0;
    return 0;
}

API int pthread_attr_getsigmask_np(const pthread_attr_t *attr, sigset_t *mask) {
    tslrt_reads_first(attr, sizeof *attr);
    sigset_t now = {0};
    *(uint64_t *)&now = over(attr)->mask;
    give(mask, &now, sizeof now);
    return over(attr)->has_mask ? 0 : PTHREAD_ATTR_NO_SIGMASK_NP;
}

API int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param) {
    tslrt_reads_first(param, sizeof *param);
    tslrt_writes(attr, sizeof *attr);
    over(attr)->priority = param->sched_priority;
    return 0;
}

API int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param) {
    tslrt_reads_first(attr, sizeof *attr);
    give(param, &over(attr)->priority, sizeof(int));
    return 0;
}

API int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
    if (size < LEAST_STACK)
        return EINVAL;
    tslrt_writes(attr, sizeof *attr);
    over(attr)->stack = stack;
    over(attr)->stack_size = size;
    return 0;
}

API int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_reads_first(attr, sizeof *attr);
    give(stack, &over(attr)->stack, sizeof *stack);
    TSL_HOT->call_site = site;
    give(size, &over(attr)->stack_size, sizeof *size);
    return 0;
}

API int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set) {
    (void)attr, (void)size, (void)set;
    return 0;
}

API int pthread_getattr_default_np(pthread_attr_t *attr) {
    pthread_attr_init(attr);
    *over(attr) = *defaults();
    over(attr)->stack_size = default_stack();
    if (!over(attr)->guard_size)
        over(attr)->guard_size = GUARD;
    return 0;
}

// A stack size of 0 leaves the default size unchanged.
API int pthread_setattr_default_np(const pthread_attr_t *attr) {
    tslrt_reads(attr, sizeof *attr);
    tslrt_attr now = *over(attr);
    if (now.stack)
        return EINVAL;
    if (!now.stack_size)
        now.stack_size = defaults()->stack_size;
    if (RUN->count.unjoined > 1)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "the attributes of new threads were changed while there were several threads: "
                     "which of them another thread creates before that was not tried");
    *defaults() = now;
    return 0;
}

tslrt_attr tslrt_attr_of(const pthread_attr_t *attr) {
    tslrt_attr with = attr ? *over(attr) : *defaults();
    if (!with.stack_size)
        with.stack_size = default_stack();
    return with;
}
