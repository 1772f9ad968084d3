// Writes Plans into slots of shared memory, and reads the heads of Traces with every count checked.
#include <string.h>
#include <sys/mman.h>

#include "exec/inner.h"

enum { KEEP_EVENTS = 65536, KEEP_NODES = 8192 }; // memory that each slot keeps

// ---------------------------------------------------------------- a Plan

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

static size_t input_size(const tsl_plan *plan) {
    size_t bytes = 0;
    for (size_t i = 0; i < plan->inputs.len; i++)
        bytes += sizeof(tsl_plan_input) + padded(plan->inputs.data[i].size);
    return bytes;
}

static void copy_inputs(const tsl_plan *plan, char *to) {
    for (size_t i = 0; i < plan->inputs.len; i++) {
        const tsl_planned_input *in = &plan->inputs.data[i];
        tsl_plan_input head = {.thread = in->thread, .index = in->index, .size = in->size};
        memcpy(to, &head, sizeof head);
        memcpy(to + sizeof head, plan->input_bytes.data + in->at, in->size);
        to += sizeof head + padded(in->size);
    }
}

// The log of preemption points only grows, so it stays right for earlier Plans.
static void copy_points(const tsl_exec *x, const tsl_plan *plan) {
    if (plan->npoints)
        memcpy((char *)x->file.wire + x->file.layout->points_offset, plan->points,
               plan->npoints * sizeof *plan->points);
}

static tsl_plan_head head_of(const tsl_plan *plan, uint32_t seq, size_t inputs) {
    return (tsl_plan_head){.seq = seq,
                           .seed = plan->seed,
                           .max_steps = plan->max_steps,
                           .policy = plan->policy,
                           .flags = plan->flags,
                           .nitems = (uint32_t)plan->items.len,
                           .nsleep = (uint32_t)plan->sleep.len,
                           .norder = (uint32_t)plan->order.len,
                           .ninputs = (uint32_t)plan->inputs.len,
                           .input_bytes = (uint32_t)inputs,
                           .max_branches = plan->max_branches,
                           .input_seed = plan->input_seed,
                           .length = plan->length,
                           .interest = plan->interest,
                           .depth = plan->depth,
                           .nweights = (uint32_t)plan->weights.len,
                           .npoints = plan->npoints};
}

bool tsl_exec_write_plan(tsl_exec *x, const tsl_plan *plan, tsl_err *err) {
    size_t items = plan->items.len * sizeof(tsl_item), sleep = plan->sleep.len * sizeof(tsl_event);
    size_t order = plan->order.len * sizeof *plan->order.data, inputs = input_size(plan);
    size_t weights = plan->weights.len * sizeof *plan->weights.data;
    if (sizeof(tsl_plan_head) + items + sleep + order + 8 + inputs + weights >
        x->file.layout->plan_size)
        return tsl_fail(err, TSL_ELIMIT, "a schedule of %zu entries is too long; raise --steps",
                        plan->items.len);
    TSL_BUG_ON(plan->max_steps > x->options.max_steps, "plan for %lu steps, room for %lu",
               (unsigned long)plan->max_steps, (unsigned long)x->options.max_steps);
    tsl_plan_head *head = tsl_wire_file_plan(&x->file, x->submitted);
    *head = head_of(plan, x->submitted, inputs);
    if (items)
        memcpy(head + 1, plan->items.data, items);
    if (sleep)
        memcpy((char *)(head + 1) + items, plan->sleep.data, sleep);
    if (order)
        memcpy((char *)(head + 1) + items + sleep, plan->order.data, order);
    char *after = (char *)(head + 1) + padded(items + sleep + order);
    if (inputs)
        copy_inputs(plan, after);
    if (weights)
        memcpy(after + inputs, plan->weights.data, weights);
    copy_points(x, plan);
    return true;
}

// ---------------------------------------------------------------- a Trace

static void copy_threads(tsl_trace_head *to, const tsl_trace_head *from) {
    if (to->nthreads > TSL_TRACE_THREADS)
        to->nthreads = TSL_TRACE_THREADS;
    memcpy(to->threads, from->threads, to->nthreads * sizeof *to->threads);
    for (uint32_t i = 0; i < to->nthreads; i++) {
        tsl_thread_info *info = &to->threads[i];
        if (info->nframes > TSL_MAX_FRAMES)
            info->nframes = TSL_MAX_FRAMES;
        info->name[sizeof info->name - 1] = 0;
        info->thread %= TSL_MAX_THREADS;
        info->parent %= TSL_MAX_THREADS;
        if (info->pending >= TSL_EV_COUNT)
            info->pending = TSL_EV_NONE;
    }
}

// Copies the numbers; the long parts only if the run did not simply end.
void tsl_exec_copy_head(tsl_exec *x) {
    const tsl_trace_head *from = tsl_wire_file_trace(&x->file, x->collected);
    tsl_trace_head *to = x->head;
    memcpy(to, from, offsetof(tsl_trace_head, message));
    to->message[0] = 0;
    if (to->output_bytes > TSL_OUTPUT)
        to->output_bytes = TSL_OUTPUT;
    if (to->nreached > x->npoints)
        to->nreached = 0;
    if (to->outcome >= TSL_OUT_COUNT)
        to->outcome = TSL_OUT_RUNTIME;
    if (to->nevents > x->file.layout->max_events + TSL_WIRE_MARGIN)
        to->nevents = 0;
    if (to->nnodes > x->file.layout->max_nodes)
        to->nnodes = 0;
    memcpy(to->output, from->output, to->output_bytes);
    if (to->outcome != TSL_OUT_OK) {
        memcpy(to->message, from->message, sizeof to->message);
        to->message[sizeof to->message - 1] = 0;
        copy_threads(to, from);
    } else
        to->nthreads = 0;
}

// Gives back the memory of a long Trace; otherwise every slot would grow to the longest ever.
static void give_back(uintptr_t from, uintptr_t end) {
    from = (from + 4095) & ~(uintptr_t)4095;
    end = (end + 4095) & ~(uintptr_t)4095;
    if (end > from)
        madvise((void *)from, end - from, MADV_REMOVE);
}

void tsl_exec_shrink_slot(tsl_exec *x) {
    if (x->collected && x->head->nnodes > KEEP_NODES) {
        uintptr_t nodes = (uintptr_t)tsl_wire_file_nodes(&x->file, x->collected - 1);
        give_back(nodes + KEEP_NODES * sizeof(tsl_expr),
                  nodes + x->head->nnodes * sizeof(tsl_expr));
    }
    if (x->collected == 0 || x->head->nevents <= KEEP_EVENTS)
        return;
    uintptr_t events = (uintptr_t)(tsl_wire_file_trace(&x->file, x->collected - 1) + 1);
    give_back(events + KEEP_EVENTS * sizeof(tsl_event),
              events + x->head->nevents * sizeof(tsl_event));
}

// The Trace was written on another processor, and fetching one cache line after the other is slow:
// all are requested at once.  Runs resemble each other, so the length of the next one is guessed.
void tsl_exec_fetch(const tsl_trace_head *head, size_t nevents) {
    const char *end = (const char *)((const tsl_event *)(head + 1) + nevents);
    for (size_t back = 0; back < nevents * sizeof(tsl_event) && back < 4096; back += 64)
        __builtin_prefetch(end - back);
}

void tsl_exec_fetch_ahead(const tsl_exec *x) {
    if (tsl_exec_arrival(x) != TSL_ARRIVED)
        return;
    const tsl_trace_head *next = tsl_wire_file_trace(&x->file, x->collected);
    for (size_t at = 0; at < offsetof(tsl_trace_head, message); at += 64)
        __builtin_prefetch((const char *)next + at);
    tsl_exec_fetch(next, x->head->nevents);
}
