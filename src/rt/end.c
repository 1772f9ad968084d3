// The end of a run: the head of the Trace is filled.
//
// Called on the thread that ends the run, wherever that stands.  Control then goes to the loop that
// starts runs; the restart puts back whatever was unfinished (a lock of libc, a half-written list).
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include "crash.h"
#include "end.h"
#include "print.h"
#include "quick.h"
#include "sys.h"

// Follows the frame pointers from (pc, fp).  The runtime's own frames at the
// inner end are left out: the user did not write them.
unsigned tslrt_walk(uint64_t pc, uintptr_t fp, uintptr_t low, uintptr_t high, uint64_t *frames,
                    unsigned max) {
    unsigned n = 0;
    for (unsigned depth = 0; depth < 4096 && n < max; depth++) {
        if (pc && !tslrt_is_runtime((const void *)pc))
            frames[n++] = pc;
        if (fp < low || fp + 16 > high || (fp & 7))
            break;
        const uint64_t *frame = (const uint64_t *)fp;
        if (frame[0] <= fp || !frame[1])
            break;
        pc = frame[1];
        fp = frame[0];
    }
    return n;
}

static unsigned frames_of(const tslrt_fiber *fiber, uint64_t *frames) {
    if (!fiber->stack.high)
        return 0;
    if (fiber == SELF) {
        uintptr_t fp = (uintptr_t)__builtin_frame_address(0);
        return tslrt_walk(0, fp, fiber->stack.low, fiber->stack.high, frames, TSL_MAX_FRAMES);
    }
    if (!fiber->thread.started)
        return 0;
    const uint64_t *sp = fiber->context.sp;
#if defined(__x86_64__)
    uint64_t pc = sp[6];
    uintptr_t fp = sp[5];
#else
    uint64_t pc = sp[1];
    uintptr_t fp = sp[0];
#endif
    return tslrt_walk(pc, fp, fiber->stack.low, fiber->stack.high, frames, TSL_MAX_FRAMES);
}

static void fill_thread(tsl_thread_info *info, const tslrt_fiber *fiber) {
    // Frames that are not used are not cleared: that would cost more than a short run.
    info->thread = fiber->id;
    info->parent = fiber->tree.parent;
    info->index = fiber->tree.index;
    info->state = fiber->state == FIBER_ENDED ? TSL_THREAD_ENDED
                  : fiber->enabled            ? TSL_THREAD_READY
                                              : TSL_THREAD_BLOCKED;
    info->pending = fiber->pend.kind;
    info->owner = fiber->state == FIBER_LIVE ? tslrt_owner_of(fiber) : TSLRT_NOBODY;
    info->site = fiber->pend.site;
    info->object = (uint64_t)fiber->pend.object;
    info->start_routine = (uint64_t)fiber->thread.start;
    info->nframes = 0;
    memcpy(info->name, fiber->thread.name, sizeof info->name);
}

static void fill_threads(tsl_trace_head *trace) {
    unsigned n = RUN->count.fibers < TSL_TRACE_THREADS ? RUN->count.fibers : TSL_TRACE_THREADS;
    for (unsigned i = 0; i < n; i++) {
        const tslrt_fiber *fiber = tslrt_fiber_at(tslrt->threads.fibers[i]);
        fill_thread(&trace->threads[i], fiber);
        if (fiber->state == FIBER_LIVE)
            trace->threads[i].nframes = (uint16_t)frames_of(fiber, trace->threads[i].frames);
    }
    trace->nthreads = n;
}

// Notes the step that each live thread stands before.
void tslrt_note_pending(void) {
    tslrt_exclusive_close();
    for (unsigned i = 0; i < RUN->count.fibers && RUN->count.live > 0; i++) {
        const tslrt_fiber *fiber = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (fiber->state != FIBER_LIVE || (fiber == SELF && !RUN->end.before_step))
            continue;
        bool looks = fiber->cancel.at_point || (fiber->cancel.async && tslrt_cancellable(fiber));
        bool struck = tslrt_cancel_strikes(fiber);
        bool ready = RUN->exit.running ? fiber->thread.ready_at_exit : fiber->enabled;
        tslrt_note(TSL_EV_PENDING, struck ? 0 : (uintptr_t)fiber->pend.object,
                   fiber->pend.size | (looks ? TSL_PENDING_REQUEST : 0) |
                       (tslrt_interrupts_wait(fiber) ? TSL_PENDING_SIGNAL : 0) |
                       (ready ? TSL_PENDING_READY : 0));
        tsl_event *note = TSL_HOT->cursor - 1;
        note->thread = fiber->id;
        note->arg = struck ? TSL_EV_PAUSE : fiber->pend.kind; // it will not take its step
        note->site = fiber->pend.site;
    }
}

void tslrt_fill(unsigned outcome, uint32_t site, const void *about, const char *message) {
    tslrt_exclusive_close();
    tsl_trace_head *trace = RUN->trace.head;
    bool told = outcome != TSL_OUT_OK;
    trace->outcome = outcome;
    trace->steps = tslrt_steps();
    trace->nevents = (uint32_t)(TSL_HOT->cursor - RUN->trace.first);
    trace->thread = SELF ? SELF->id : 0;
    trace->site = site;
    trace->fault_addr = (uint64_t)about;
    tslrt_symbols_untaken();
    trace->nnodes = tslrt_symbols_count();
    trace->flags = RUN->trace.flags;
    if (TSL_HOT->opaque)
        trace->flags |= TSL_TRACE_OPAQUE;
    bool loaded = !told && TSL_HOT->opaque && tslrt_libraries_loaded() != tslrt->libraries.loaded;
    if ((TSL_HOT->opaque & TSL_EXTERN_LEAKS) == TSL_EXTERN_LEAKS || loaded)
        trace->flags |= TSL_TRACE_LEAKED;
    if (TSL_HOT->weak)
        trace->flags |= TSL_TRACE_WEAK;
    if (RUN->count.fibers <= 1)
        trace->flags |= TSL_TRACE_NO_THREADS;
    trace->all_threads = RUN->count.fibers;
    bool shown = told && outcome != TSL_OUT_REDUNDANT;
    if (shown || (RUN->plan->flags & TSL_PLAN_STACKS))
        fill_threads(trace);
    tslrt_format(trace->message, sizeof trace->message, "%s", message);
    if (told || TSL_HOT->opaque)
        tslrt_output_collect(trace);
}

// Clears what a run may fill in.
void tslrt_trace_clear(tsl_trace_head *trace) {
    memset(trace, 0, offsetof(tsl_trace_head, message));
    trace->message[0] = 0;
}

// A debugger can stop here: the callers are where the bug was found.
__attribute__((noinline, used, visibility("default"))) void teasel_bug(const char *message) {
    __asm__ volatile("" ::"r"(message) : "memory");
}

static noreturn void end_alone(unsigned outcome, const char *message) {
    static const char *const headline[] = {
#define TSL_OUTCOME(name, text, is_bug, head) head,
#include "abi/outcome.def"
#undef TSL_OUTCOME
    };
    char line[TSL_MESSAGE + 64];
    if (outcome == TSL_OUT_OK || outcome == TSL_OUT_EXIT_STATUS)
        tslrt_exit_now(RUN->trace.head->exit_status);
    int n = tslrt_format(line, sizeof line, "teasel: %s: %s\n", headline[outcome], message);
    fflush(NULL);
    tslrt_sys3(SYS_write, 2, line, n < (int)sizeof line ? n : (int)sizeof line - 1);
    teasel_bug(message);
    bool waits = outcome == TSL_OUT_DEADLOCK || outcome == TSL_OUT_LIVELOCK;
    if (tslrt->kind == RT_CHILD && !waits) // its parent may look at how it ended
        tslrt_die_by(SIGABRT);
    while (tslrt->kind == RT_CHILD) { // until it is killed, at the latest when the run ends
        struct timespec moment = {.tv_sec = 1};
        tslrt_sys2(SYS_nanosleep, &moment, NULL);
    }
    tslrt_exit_now(1);
}

static noreturn void end_with(unsigned outcome, uint32_t site, const void *about, const char *fmt,
                              va_list args) {
    char message[TSL_MESSAGE];
    tslrt_vformat(message, sizeof message, fmt, args);
    if (tslrt_watched() && (RUN->count.live > 1 || RUN->end.before_step))
        tslrt_note_pending();
    tslrt_fill(outcome, site, about, message);
    RUN->end.begun = true;
    tslrt_ipc_end();
    if (tslrt->kind != RT_SERVED)
        end_alone(outcome, message);
    void *unused;
    if (SELF) {
        uintptr_t here = (uintptr_t)__builtin_frame_address(0) - 512;
        SELF->context.low_mark = TSL_HOT->low_stack < here ? TSL_HOT->low_stack : here;
    }
    if (tslrt->area.used)
        tslrt_area_enter(tslrt->area.pointer);
    tslrt_switch(&unused, tslrt->loop_sp);
    __builtin_unreachable();
}

noreturn void tslrt_end(unsigned outcome, uint32_t site, const void *about, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    end_with(outcome, site, about, fmt, args);
}

// The runtime can't go on, and the program is not to blame.
noreturn void tslrt_give_up(uint32_t site, const char *why) {
    tslrt_say_at(site, "%s", why);
    tslrt_end(TSL_OUT_RUNTIME, site, NULL, "%s", why);
}

// The process can't be trusted any more: the Trace says so, and the server starts another one.
noreturn void tslrt_corrupted(void) {
    if (tslrt->kind == RT_SERVED) {
        TSL_HOT->cursor = RUN->trace.first;
        tslrt_fill(TSL_OUT_KILLED, 0, NULL, "the program overwrote the runtime's own memory");
        tslrt_publish();
    }
    tslrt_exit_now(1);
}

// If a misuse is found before the step begins, the site is that of the call.
static uint32_t site_of_call(void) {
    return TSL_HOT->call_site ? TSL_HOT->call_site : SELF->pend.site;
}

noreturn void tslrt_misuse(const void *object, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    end_with(TSL_OUT_MISUSE, site_of_call(), object, fmt, args);
}

noreturn void tslrt_waits_for_itself(const void *lock, const char *what) {
    unsigned outcome = tslrt->kind == RT_CHILD ? TSL_OUT_DEADLOCK : TSL_OUT_MISUSE;
    tslrt_end(outcome, site_of_call(), lock,
              "the thread locks a %s that it holds already: it waits for itself", what);
}
