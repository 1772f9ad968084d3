// One run: from a Plan to a Trace, and back to the state before main.
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "crash.h"
#include "quick.h"
#include "run.h"
#include "sys.h"

static noreturn void main_entry(void) {
    tslrt_fiber *self = SELF;
    tslrt_pick(); // here, on the stack of the thread, because a run may end there
    self->thread.started = true;
    tslrt_record(TSL_EV_START, self, 0);
    int status =
        tslrt->program.main(tslrt->program.argc, (char **)self->thread.arg, RUN->process.envp);
    uint32_t label = tslrt_take_label((const void *)tslrt->program.main);
    tslrt_take_site();
    tslrt_cancel_defer(); // main has returned and can't be cancelled any more
    tslrt_exit_process(status, label);
}

static tsl_expr *nodes_of(const tsl_plan_head *plan) {
    return (tsl_expr *)((char *)plan + tslrt->wire->nodes_offset);
}

static bool has_tables(const tslrt_run *run) {
    return run->libc.nnameless | run->libc.nmade | run->libc.nchannels | run->libc.nbuffers |
           run->signal.nsent | run->libc.nclocks;
}

// Most of RUN are tables that hardly any program uses.  No code reads what lies behind their
// entries.
static void forget_run(void) {
    const tslrt_run *fresh = &tslrt->fresh.run;
    if (has_tables(RUN) || has_tables(fresh))
        *RUN = *fresh;
    else
        memcpy(RUN, fresh, offsetof(tslrt_run, exclusive.kept));
}

static void begin(const tsl_plan_head *plan, const tsl_item *items, tsl_trace_head *trace,
                  tsl_event *events, uint64_t max_events) {
    forget_run();
    RUN->plan = plan;
    RUN->prefix.items = items;
    RUN->sleep.set = (const tsl_event *)(items + plan->nitems);
    RUN->order.next = (const tsl_turn *)(RUN->sleep.set + plan->nsleep);
    RUN->order.end = RUN->order.next + plan->norder;
    RUN->inputs.text = tslrt->program.inputs
                           ? tslrt->program.inputs
                           : (const char *)(((uintptr_t)RUN->order.end + 7) & ~7ul);
    RUN->inputs.end = RUN->inputs.text + plan->input_bytes;
    RUN->inputs.rejected = false;
    RUN->trace.head = trace;
    RUN->trace.first = TSL_HOT->cursor = events;
    RUN->trace.limit = events + max_events;
    RUN->filter.on = tslrt_watched();
    RUN->count.fibers = RUN->count.live = RUN->count.enabled = RUN->count.unjoined = 0;
    RUN->has_async = tslrt->uses.sends;
    RUN->uneven |= tslrt->uses.sends || tslrt->uses.swaps_floating;
    RUN->prefix.is_over = false;
    RUN->trace.flags = tslrt->memory.late_page ? TSL_TRACE_LATE_PAGE : 0;
    tslrt->memory.late_page = false;
    RUN->self = NULL;
    memset(tslrt->threads.parked_count, 0, sizeof tslrt->threads.parked_count);
    tslrt->threads.parked_at[0] = NULL;
    tslrt_trace_clear(trace);
    trace->seq = plan->seq;
    bool symbolic = tslrt->kind == RT_SERVED && (plan->flags & TSL_PLAN_SYMBOLIC);
    tslrt_symbols_begin(symbolic ? nodes_of(plan) : NULL,
                        symbolic ? (uint32_t)tslrt->wire->max_nodes : 0, plan->max_branches);
    tslrt_outside_begin();
    tslrt_policy_begin();
    TSL_HOT->recording = TSL_RECORD_NOTHING;
    TSL_HOT->solo_fuel = (int64_t)(plan->max_steps * TSLRT_SOLO_FACTOR);
    TSL_HOT->call_site = 0;
    TSL_HOT->opaque = 0;
    TSL_HOT->weak = 0;
    TSL_HOT->spurious = (plan->flags & TSL_PLAN_SPURIOUS) != 0;
    TSL_HOT->loops = NULL;
    TSL_HOT->effect_at = NULL;
}

static void make_main_fiber(void) {
    tslrt_fiber *fiber = tslrt_fiber_at(0);
    uintptr_t low = fiber->stack.low, high = fiber->stack.high, tls_end = fiber->own.tls_end;
    *fiber = tslrt->fresh.main;
    fiber->own.tls_end = tls_end; // its memory stays mapped, as the stack does
    fiber->stack.low = low;
    fiber->stack.high = high;
    fiber->state = FIBER_UNUSED;
    fiber->enabled = false;
    fiber->thread.started = false;
    tslrt_fiber_new(NULL, NULL);
    tslrt_fiber_stack(fiber, TSL_STACK_SIZE);
    fiber->context.area = tslrt->area.pointer;
    if (!high && tslrt->area.used)
        tslrt_area_keep(fiber);
    char **argv;
    uintptr_t top = tslrt_arguments(fiber->stack.high, &argv, &RUN->process.envp);
    fiber->thread.arg = argv;
    fiber->thread.start = (void *(*)(void *))(void *)tslrt->program.main;
    fiber->context.sp = tslrt_fiber_prepare(top, main_entry);
    fiber->context.low_mark = (uintptr_t)fiber->context.sp;
}

void tslrt_run_plan(const tsl_plan_head *plan, const tsl_item *items, tsl_trace_head *trace,
                    tsl_event *events, uint64_t max_events) {
    begin(plan, items, trace, events, max_events);
    make_main_fiber();
    tslrt_first_fiber();
}

static void unmap_all(void) {
    tslrt_registry *reg = tslrt_reg();
    for (uint32_t i = tslrt->fresh.registry.nmaps; i < reg->nmaps; i++)
        if (reg->maps[i].len)
            tslrt_sys2(SYS_munmap, reg->maps[i].addr, reg->maps[i].len);
}

// Closes all descriptors but the standard ones and the runtime's own.
void tslrt_close_files(void) {
    tslrt_sys3(SYS_close_range, 3, tslrt->wire->output_fd - 1, 0);
    tslrt_sys3(SYS_close_range, tslrt->server.last_fd + 1, 0xffffffffu, 0);
}

void tslrt_run_reset(void) {
    if (tslrt->hidden.roles[TSL_STATE_TIMERS])
        tslrt_timers_stop(); // while the program's handlers are still there
    tslrt_heap_reset();
    for (unsigned i = 0; i < RUN->count.fibers; i++)
        tslrt_fiber_clean(tslrt_fiber_at(tslrt->threads.fibers[i]));
    if (tslrt->registry.touched) {
        unmap_all();
        tslrt_signals_reset();
        tslrt->registry = tslrt->fresh.registry;
    }
    tslrt_single_threaded(true);
    tslrt_restore();
    if (RUN->filter.n)
        tslrt_filter_reset();
    if (TSL_HOT->opaque) {
        tslrt_output_reset();
        tslrt_close_files();
    }
}
