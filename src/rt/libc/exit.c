// The end of the process: exit, its relatives, and what they call.
//
// Functions registered with atexit, and destructors, are ordinary code of the program: the thread
// that exits runs them while the others go on.  Only one thread does so; another one that calls
// exit meanwhile waits for ever.  After that no code looks at memory any more, so EXIT itself comes
// as late as possible (sync/enabled.c).
#include <dlfcn.h>
#include <unistd.h>

#include "../quick.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "exit.h"

// ---------------------------------------------------------------- registering

enum { AT_EXIT, ON_EXIT, AT_QUICK_EXIT };

// Takes a step that may change the list of registered functions.
static void uses_exits(void) {
    if (tslrt->kind != RT_EARLY && SELF)
        tslrt_state_step(TSL_STATE_EXITS, TSL_ROLE_WRITE);
}

// `from` is the return address.  libc registers functions, too, and may hold locks of its own then.
static int at_exit(void (*call)(void *), void *arg, unsigned kind, const void *from) {
    tslrt_init();
    if (!tslrt_from_libc(from))
        uses_exits();
    tslrt_registry *reg = tslrt_reg_change();
    if (reg->nexit >= TSLRT_MAX_ATEXIT)
        return -1;
    reg->exits[reg->nexit++] = (exit_call){.call = call, .arg = arg, .kind = (uint8_t)kind};
    return 0;
}

API int __cxa_atexit(void (*call)(void *), void *arg, void *dso) {
    (void)dso;
    return at_exit(call, arg, AT_EXIT, __builtin_return_address(0));
}

API int on_exit(void (*call)(int, void *), void *arg) {
    return at_exit((void (*)(void *))(void *)call, arg, ON_EXIT, __builtin_return_address(0));
}

API int __cxa_at_quick_exit(void (*call)(void *), void *dso) {
    (void)dso;
    return at_exit(call, NULL, AT_QUICK_EXIT, __builtin_return_address(0));
}

extern void (*__fini_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_end[])(void) __attribute__((weak, visibility("hidden")));

// Does the program itself have destructors?  A single entry is the compiler's own.
static bool has_destructors(void) { return __fini_array_end - __fini_array_start > 1; }

// Does the program have code that runs when it ends?  The answer is the same in every run, unless
// libraries register functions.
static bool has_exit_code(void) {
    return tslrt->hidden.roles[TSL_STATE_EXITS] || has_destructors() || tslrt_reg()->nexit;
}

// ---------------------------------------------------------------- calling

static void call(const exit_call *c, int status) {
    tslrt_foreign_back((const void *)c->call, SELF->pend.site);
    if (c->kind == ON_EXIT)
        ((void (*)(int, void *))(void *)c->call)(status, c->arg);
    else
        c->call(c->arg);
}

// Other threads may register more functions meanwhile, and so may the called functions.
static void run_calls(bool quick, int status) {
    for (;;) {
        uses_exits();
        tslrt_registry *reg = tslrt_reg();
        if (!reg->nexit)
            return;
        reg->touched = true;
        exit_call c = reg->exits[--reg->nexit];
        if (quick == (c.kind == AT_QUICK_EXIT))
            call(&c, status);
    }
}

static void run_destructors(void) {
    if (!has_destructors() || RUN->exit.destructed)
        return;
    RUN->exit.destructed = true;
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    for (void (**f)(void) = __fini_array_end; f-- > __fini_array_start;) {
        if (f > __fini_array_start) // the first is the compiler's own
            tslrt_foreign_back((const void *)*f, SELF->pend.site);
        (*f)();
    }
}

static void run_exit_code(int status, bool quick) {
    if (has_exit_code()) {
        if (RUN->count.fibers > 1 && RUN->exit.caller != SELF)
            pthread_mutex_lock(&RUN->exit.lock);
        RUN->exit.caller = SELF; // if it calls exit again, it goes on with the remaining functions
        run_calls(quick, status);
        if (!quick)
            run_destructors();
    }
    if (!quick && (TSL_HOT->opaque || tslrt->kind != RT_SERVED))
        tslrt_flush_at_exit();
}

// ---------------------------------------------------------------- the end

static void stop_others(void) {
    RUN->exit.fiber = SELF;
    RUN->exit.running = true;
    if (RUN->count.live <= 1)
        return;
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        tslrt_fiber *f = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (f == SELF)
            continue;
        f->thread.ready_at_exit = f->enabled;
        tslrt_set_enabled(f, false);
    }
}

static bool wants_to_exit(const tslrt_fiber *f) {
    return f->pend.kind == TSL_EV_EXIT ||
           (f->pend.kind == TSL_EV_LOCK && f->pend.object == &RUN->exit.lock);
}

// The process ends while other threads wait, blocked or in a loop: this is mentioned, but no bug.
static void say_who_is_left(void) {
    if (tslrt->said_left || RUN->count.live <= 1)
        return;
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (f == SELF || f->state != FIBER_LIVE || wants_to_exit(f))
            continue;
        tslrt->said_left = true;
        tslrt_say_at(f->pend.site, "a thread still %s when the program ended: that is no deadlock",
                     f->pend.kind == TSL_EV_AWAIT ? "waited in a loop" : "waited");
        return;
    }
}

static noreturn void finish(int status) {
    if (RUN->plan->flags & TSL_PLAN_LEAKS)
        tslrt_leak_check();
    RUN->trace.head->exit_status = status;
    bool bad = status != 0 && (RUN->plan->flags & TSL_PLAN_EXIT_STATUS);
    if (bad)
        tslrt_end(TSL_OUT_EXIT_STATUS, SELF->pend.site, NULL, "the program ended with status %d",
                  status);
    tslrt_end(TSL_OUT_OK, SELF->pend.site, NULL, "");
}

static noreturn void end_process(int status, uint32_t site) {
    RUN->exit.fiber = SELF;
    TSL_HOT->call_site = site;
    tslrt_op(TSL_EV_EXIT, NULL);
    tslrt_result((unsigned)status);
    if (RUN->count.live > 1)
        tslrt_end_if_stuck(false);
    say_who_is_left();
    stop_others();
    finish(status);
}

static noreturn void leave(int status, bool calls, bool quick, uint32_t label) {
    uint32_t site = TSL_HOT->call_site;
    status &= 0xff;
    tslrt_symbols_exit(label, site);
    if (calls)
        run_exit_code(status, quick);
    end_process(status, site);
}

noreturn void tslrt_exit_process(int status, uint32_t label) { leave(status, true, false, label); }

// If main has ended before, the last thread calls exit.  Which thread that is must be the same in
// all equivalent runs, so each thread takes a step; not in programs that have nothing to call, or
// where no thread calls pthread_exit.
void tslrt_exit_if_last(void) {
    if (!tslrt->uses.ends_threads || !has_exit_code())
        return;
    uses_exits();
    if (++RUN->exit.nleaving == RUN->count.live)
        leave(0, true, false, 0);
}

// libc itself (err, error, ...) does not call our exit, but runs what is registered with libc.
static void libc_exits(int status, void *arg) {
    (void)arg;
    if (tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD && SELF && !RUN->end.begun)
        leave(status, true, false, 0);
}

void tslrt_catch_libc_exit(void) {
    __typeof__(&on_exit) real = TSLRT_REAL(on_exit);
    if (real)
        real(libc_exits, NULL);
}

static uint32_t label_for(const void *function) {
    uint32_t label = tslrt_arg_label(function, 0);
    tslrt_args_taken(function);
    return label;
}

API noreturn void exit(int status) { leave(status, true, false, label_for((const void *)exit)); }

API noreturn void quick_exit(int status) {
    leave(status, true, true, label_for((const void *)quick_exit));
}

static noreturn void end_at_once(int status, uint32_t label) {
    if (tslrt->kind == RT_CHILD || tslrt->kind == RT_EARLY) {
        tslrt_sys1(SYS_exit_group, status);
        __builtin_unreachable();
    }
    leave(status, false, false, label);
}

API noreturn void _exit(int status) { end_at_once(status, label_for((const void *)_exit)); }

API noreturn void _Exit(int status) { end_at_once(status, label_for((const void *)_Exit)); }
