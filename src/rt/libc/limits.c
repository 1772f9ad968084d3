// Limits that a program sets for itself.
//
// The runtime lives in the same process, and itself uses what some of them limit: output is
// captured in a file, stacks and the heap are mapped far apart, and earlier runs have used
// processor time.  If the kernel applied such a limit, the runtime might exceed it, and the program
// would be blamed.  So these limits are only kept here and told to a program that asks, which
// weakens the claim.  The kernel handles all other limits.
#include <sys/resource.h>
#include <unistd.h>

#include "../quick.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "limits.h"

_Static_assert(sizeof(struct rlimit) == sizeof(struct rlimit64), "both names are one function");

// The place of the limit in RUN, or -1 if the kernel handles it.
static int place_of(int resource) {
    if (!tslrt_watched() || !SELF)
        return -1;
    switch (resource) {
    case RLIMIT_FSIZE:
        return TSLRT_LIMIT_FSIZE;
    case RLIMIT_AS:
        return TSLRT_LIMIT_AS;
    case RLIMIT_DATA:
        return TSLRT_LIMIT_DATA;
    case RLIMIT_CPU:
        return TSLRT_LIMIT_CPU;
    default:
        return -1;
    }
}

// Returns 0 or a negative errno.
static long change(int place, const struct rlimit *now, const struct rlimit *to) {
    if (to->rlim_cur > to->rlim_max)
        return -EINVAL;
    if (to->rlim_max > now->rlim_max && tslrt_sys0(SYS_geteuid) != 0)
        return -EPERM;
    if (to->rlim_cur < now->rlim_cur)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "the program limits the size of its files, its memory or its processor time: "
                     "that is not applied");
    RUN->libc.limits[place] = (tslrt_limit){to->rlim_cur, to->rlim_max, true};
    return 0;
}

static int limit(pid_t pid, int resource, const struct rlimit *to, struct rlimit *old) {
    tslrt_init();
    bool own = pid == 0 || pid == getpid();
    int place = own ? place_of(resource) : -1;
    struct rlimit now;
    if (place < 0) {
        long got = tslrt_sys4(SYS_prlimit64, own ? 0 : pid, resource, to, old);
        if (got == 0 && old)
            tslrt_wrote(old, sizeof *old);
        return (int)tslrt_returned(got);
    }
    const tslrt_limit *kept = &RUN->libc.limits[place];
    if (kept->is_set)
        now = (struct rlimit){kept->soft, kept->hard};
    else
        tslrt_sys4(SYS_prlimit64, 0, resource, NULL, &now);
    long got = to ? change(place, &now, to) : 0;
    if (got == 0 && old) {
        *old = now;
        tslrt_wrote(old, sizeof *old);
    }
    return (int)tslrt_returned(got);
}

bool tslrt_limits_cpu(void) {
    struct rlimit cpu = {.rlim_cur = RLIM_INFINITY};
    tslrt_sys4(SYS_prlimit64, 0, RLIMIT_CPU, NULL, &cpu);
    return RUN->libc.limits[TSLRT_LIMIT_CPU].is_set || cpu.rlim_cur != RLIM_INFINITY;
}

API int getrlimit(__rlimit_resource_t resource, struct rlimit *to) {
    return limit(0, (int)resource, NULL, to);
}

API int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *to) {
    return limit(0, (int)resource, NULL, (struct rlimit *)to);
}

API int setrlimit(__rlimit_resource_t resource, const struct rlimit *to) {
    return limit(0, (int)resource, to, NULL);
}

API int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *to) {
    return limit(0, (int)resource, (const struct rlimit *)to, NULL);
}

API int prlimit(pid_t pid, enum __rlimit_resource resource, const struct rlimit *to,
                struct rlimit *old) {
    return limit(pid, (int)resource, to, old);
}

API int prlimit64(pid_t pid, enum __rlimit_resource resource, const struct rlimit64 *to,
                  struct rlimit64 *old) {
    return limit(pid, (int)resource, (const struct rlimit *)to, (struct rlimit *)old);
}
