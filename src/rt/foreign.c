// Code that is neither instrumented nor described: libraries, plugins, objects of other compilers.
//
// Such code may touch whatever it has ever seen: memory that it is given now or was given before,
// and its own variables.  So if it runs beside other threads, the claim is weakened:
//
//     it is called         by name or through a pointer: one step, which depends on all other such
//                          calls and on accesses of what it is given, so the likeliest orders run
//     it is called back    by the runtime or libc: once routines, destructors, handlers, ...
//     it runs as a thread  or has started a thread that runs beside it
#include <dlfcn.h>
#include <string.h>

#include "foreign.h"
#include "state.h"

static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

static bool was_told(const void *function) {
    const void **told = &tslrt->foreign.told[(uintptr_t)function / 16 % TSLRT_FOREIGN_TOLD];
    bool was = *told == function;
    *told = function;
    return was;
}

static void say(const void *function, const char *name, uint32_t site, const char *why) {
    Dl_info info;
    if (was_told(function))
        return;
    memset(&info, 0, sizeof info);
    bool found = dladdr(function, &info) != 0;
    const tsl_extern *e = tslrt_extern_at(function);
    const char *library = found && info.dli_fname ? base_name(info.dli_fname) : "?";
    const char *called = name ? name : e ? e->name : found ? info.dli_sname : NULL;
    called = called ? called : "a function";
    tslrt_weaken_at(site, TSL_REASON_UNKNOWN_CALL, "%s of %s is not instrumented, and %s", called,
                    library, why);
}

bool tslrt_is_foreign(const void *function) {
    return function && !tslrt_is_instrumented(function) && !tslrt_is_runtime(function);
}

static bool is_alone(void) { return TSL_HOT->recording == TSL_RECORD_NOTHING; }

// ---------------------------------------------------------------- called

// Of a heap block, the bytes from `p` to its end; of other memory, a few bytes.
static uint64_t extent(const void *p) {
    enum { CLOSE = 64, MOST = 4096 };
    uintptr_t a = (uintptr_t)p;
    if (!tslrt_in_heap(a))
        return CLOSE;
    uint64_t n = 0;
    while (n<MOST &&*(const int8_t *)((a + n) >> TSL_SHADOW_SHIFT)>(int8_t)((a + n) & 7))
        n += 8 - ((a + n) & 7);
    return n;
}

void tslrt_foreign_call(const void *function, const char *name, uint32_t pointers, uint32_t site) {
    uint64_t args[TSL_CALL_ARGS];
    RUN->foreign.function = function;
    RUN->foreign.name = name;
    RUN->foreign.site = site;
    if (is_alone())
        return;
    memcpy(args, TSL_HOT->call_args, sizeof args);
    say(function, name, site, "other threads run beside it");
    tslrt_call_step(site);
    tslrt_call_uses(TSL_STATE_UNKNOWN, TSL_ROLE_WRITE);
    for (unsigned i = 0; i < TSL_CALL_ARGS; i++) {
        const void *p = (const void *)args[i];
        if (pointers >> i & 1 && p)
            tslrt_may_touch(p, extent(p));
    }
}

// ---------------------------------------------------------------- called back

void tslrt_foreign_back(const void *function, uint32_t site) {
    if (!is_alone() && tslrt_is_foreign(function))
        say(function, NULL, site, "it is called back while other threads run");
}

// A function of libc may be passed to another one: it does no harm if it only computes.
static bool is_pure(const void *function) {
    const tsl_extern *e = tslrt_extern_at(function);
    return e && e->class_ == TSL_EXTERN_PURE;
}

void tslrt_foreign_handed(const uint64_t *args, uint32_t site) {
    for (unsigned i = 0; i < TSL_CALL_ARGS; i++) {
        const void *p = (const void *)args[i];
        if (p && tslrt_is_code(p) && !is_pure(p))
            tslrt_foreign_back(p, site);
    }
}

// ---------------------------------------------------------------- threads

// Calls from instrumented code leave their site for the runtime.  If there is none, or the site of
// a call of foreign code, then foreign code has called the runtime.
static bool is_creator_foreign(uint32_t site) { return !site || site == RUN->foreign.site; }

void tslrt_foreign_starts(const void *start, uint32_t site) {
    if (start == tslrt->foreign.known_start && !RUN->foreign.function)
        return;
    if (tslrt_is_foreign(start))
        say(start, NULL, site, "it runs as a thread of its own");
    else
        tslrt->foreign.known_start = start;
    if (RUN->foreign.function && is_creator_foreign(site) && !tslrt_is_runtime(start))
        say(RUN->foreign.function, RUN->foreign.name, RUN->foreign.site, "it starts a thread");
}
