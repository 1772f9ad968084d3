// The model runner; see runner.h.
#include "vm/runner.h"

#include <string.h>

#include "base/mem.h"
#include "rt/policy/picker.h"
#include "vm/sleep.h"

enum { SLOTS = 16, FAIR_QUANTUM = 3, NOBODY = TSL_VM_THREADS };

// One run.
typedef struct run {
    tsl_vm_machine m;
    const tsl_plan *plan;
    tsl_events *events;
    tsl_vm_sleep sleep;
    size_t last_at;  // events of the last step that took a turn begin here
    size_t item;     // of the prefix
    uint32_t left;   // steps of the item before it that are still to run
    unsigned self;   // who ran last
    unsigned stays;  // how often in a row
    unsigned parent; // of the thread that was started at once, or NOBODY
    uint64_t steps;
    bool in_tail;
    uint32_t outcome;
    bool sampled; // by the picker
    tsl_picker picker;
    uint64_t words[TSL_MAX_THREADS]; // of the picker, as the pending steps
    tsl_pending pending[TSL_MAX_THREADS];
} run;

struct tsl_vm_runner {
    const tsl_vm_program *program;
    tsl_plan plans[SLOTS]; // a ring
    size_t first, count;
    uint64_t seq;
    tsl_trace_head head; // of the Trace last collected
    tsl_events events;
    run run;
};

static unsigned number_of(const run *r, unsigned t) { return r->m.program->threads[t].number; }

// ---------------------------------------------------------------- who runs next

static unsigned thread_of(const run *r, unsigned number) {
    for (unsigned t = 0; t < r->m.program->nthreads; t++)
        if (number_of(r, t) == number)
            return t;
    return NOBODY;
}

// Those that may be picked: enabled and awake.
static unsigned awake(const run *r) {
    unsigned mask = 0;
    for (unsigned t = 0; t < r->m.program->nthreads; t++)
        if (tsl_vm_is_enabled(&r->m, t) && !tsl_vm_sleep_has(&r->sleep, (uint16_t)number_of(r, t)))
            mask |= 1u << t;
    return mask;
}

// The next number after the running thread's, in a circle.
static unsigned next_in_circle(const run *r, unsigned mask) {
    unsigned best = NOBODY, lowest = NOBODY;
    for (unsigned t = 0; t < r->m.program->nthreads; t++) {
        if (!(mask >> t & 1))
            continue;
        if (lowest == NOBODY || number_of(r, t) < number_of(r, lowest))
            lowest = t;
        if (number_of(r, t) > number_of(r, r->self) &&
            (best == NOBODY || number_of(r, t) < number_of(r, best)))
            best = t;
    }
    return best != NOBODY ? best : lowest;
}

static uint64_t weight_of(const run *r, unsigned number) {
    for (size_t i = 0; i < r->plan->weights.len; i++)
        if (r->plan->weights.data[i].thread == number)
            return r->plan->weights.data[i].weight;
    return 0;
}

static void note_pending(run *r, unsigned t, unsigned number) {
    tsl_vm_step p = tsl_vm_pending(&r->m, t);
    r->pending[number] =
        (tsl_pending){.kind = p.kind, .size = p.arg & 15u, .object = (void *)p.addr};
}

static unsigned pick_sampled(run *r, unsigned mask) {
    uint16_t enabled[TSL_VM_THREADS];
    unsigned n = 0;
    for (unsigned t = 0; t < r->m.program->nthreads; t++)
        if (mask >> t & 1)
            note_pending(r, t, enabled[n++] = (uint16_t)number_of(r, t));
    return thread_of(r, tsl_picker_pick(&r->picker, enabled, n));
}

// A thread before its START comes first, then whoever created it.
static unsigned eager(run *r, unsigned mask) {
    bool started = r->m.threads[r->self].phase == TSL_VM_AT_CODE && r->parent != NOBODY;
    for (unsigned t = 0; t < r->m.program->nthreads; t++)
        if ((mask >> t & 1) && r->m.threads[t].phase == TSL_VM_AT_START) {
            r->parent = t ? r->self : NOBODY;
            return t;
        }
    unsigned parent = r->parent;
    r->parent = NOBODY;
    if (started && (mask >> parent & 1))
        return parent;
    if (mask >> r->self & 1)
        return r->self;
    unsigned group = 0, in_group = 0;
    for (size_t i = 0; i < r->plan->order.len; i++) {
        tsl_turn turn = r->plan->order.data[i];
        unsigned t = thread_of(r, turn.thread);
        if (t == NOBODY || !(mask >> t & 1) || (in_group && turn.group != group))
            continue;
        group = turn.group;
        in_group |= 1u << t;
    }
    return next_in_circle(r, in_group ? in_group : mask);
}

static unsigned pick_by_policy(run *r) {
    unsigned mask = awake(r);
    if (!mask) {
        r->outcome = TSL_OUT_REDUNDANT;
        return NOBODY;
    }
    if (r->sampled)
        return pick_sampled(r, mask);
    if (r->plan->policy == TSL_POLICY_EAGER)
        return eager(r, mask);
    bool ends = r->plan->policy == TSL_POLICY_FAIR && r->stays >= FAIR_QUANTUM;
    return mask >> r->self & 1 && !ends ? r->self : next_in_circle(r, mask);
}

static unsigned pick_planned(run *r) {
    const tsl_item *item = &r->plan->items.data[r->item];
    if (!r->left && item->kind == TSL_ITEM_RUN && item->count) {
        r->left = item->count;
        r->item++;
    } else if (r->left)
        item--;
    unsigned t = item->kind == TSL_ITEM_RUN ? thread_of(r, item->value) : NOBODY;
    if (!r->left || t == NOBODY || !tsl_vm_is_enabled(&r->m, t)) {
        r->outcome = TSL_OUT_DIVERGED;
        return NOBODY;
    }
    r->left--;
    return t;
}

static unsigned pick(run *r) {
    if (r->left || r->item < r->plan->items.len)
        return pick_planned(r);
    if (r->plan->flags & TSL_PLAN_STOP) {
        r->outcome = TSL_OUT_STOPPED;
        return NOBODY;
    }
    if (!r->in_tail && !tsl_vm_sleep_load(&r->sleep, &r->plan->sleep)) {
        r->outcome = TSL_OUT_DIVERGED;
        return NOBODY;
    }
    // The set is the one before the last step of the prefix, which may wake some.
    if (!r->in_tail && r->steps)
        tsl_vm_sleep_executed(&r->sleep, &r->events->data[r->last_at], r->events->len - r->last_at);
    r->in_tail = true;
    return pick_by_policy(r);
}

// A planned choice stands right behind the step it belongs to.
static unsigned choose(run *r, unsigned n) {
    bool planned = r->item < r->plan->items.len;
    const tsl_item *item = planned ? &r->plan->items.data[r->item] : NULL;
    if (n <= 1)
        return 0;
    if (planned && r->left == 0 && item->kind == TSL_ITEM_CHOICE) {
        if (item->value >= n) {
            r->outcome = TSL_OUT_DIVERGED;
            return 0;
        }
        r->item++;
        return item->value;
    }
    return !planned && r->sampled ? (unsigned)tsl_picker_below(&r->picker, n) : 0;
}

// ---------------------------------------------------------------- one run

static void run_step(run *r) {
    unsigned t = pick(r);
    if (t == NOBODY)
        return;
    unsigned choice = choose(r, tsl_vm_choices(&r->m, t));
    if (r->outcome)
        return;
    size_t at = r->last_at = r->events->len;
    tsl_vm_step step = tsl_vm_pending(&r->m, t);
    tsl_vm_execute(&r->m, t, choice, r->events);
    if (r->sampled && step.kind == TSL_EV_CREATE)
        tsl_picker_created(&r->picker, r->events->data[at].res, number_of(r, t),
                           weight_of(r, r->events->data[at].res));
    if (r->in_tail)
        tsl_vm_sleep_executed(&r->sleep, &r->events->data[at], r->events->len - at);
    r->stays = t == r->self ? r->stays + 1 : 1;
    r->self = t;
    r->steps++;
    r->outcome = r->m.outcome;
}

// As src/rt/symbol/input.c: by the thread that asks and by how many it has asked for before;
// what is not in the Plan is drawn from its seed.
static uint64_t draw(uint64_t seed, uint64_t key) {
    uint64_t x = seed * 0x9e3779b97f4a7c15ull ^ (key + 0x632be59bd9b4e019ull);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static uint8_t input_of(const tsl_plan *plan, uint32_t thread, uint32_t index) {
    for (size_t i = 0; i < plan->inputs.len; i++) {
        const tsl_planned_input *input = &plan->inputs.data[i];
        if (input->thread == thread && input->index == index)
            return input->size ? plan->input_bytes.data[input->at] : 0;
    }
    return (uint8_t)draw(plan->input_seed, (uint64_t)thread << 40 ^ (uint64_t)index << 20);
}

static tsl_vm_given given_by(const tsl_plan *plan, const tsl_vm_program *program) {
    tsl_vm_given given = {.follows = plan->flags & TSL_PLAN_SYMBOLIC,
                          .max_branches = plan->max_branches};
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < TSL_VM_INPUTS; i++)
            given.inputs[t][i] = input_of(plan, program->threads[t].number, i);
    return given;
}

static void begin_sample(run *r, const tsl_plan *plan) {
    r->sampled = tsl_policy_samples(plan->policy);
    if (!r->sampled)
        return;
    r->picker.policy = plan->policy;
    r->picker.depth = plan->depth;
    r->picker.seed = plan->seed;
    r->picker.length = plan->length;
    r->picker.interest = plan->interest;
    r->picker.words = r->words;
    r->picker.pending = r->pending;
    r->picker.stride = sizeof *r->pending;
    tsl_picker_begin(&r->picker);
    tsl_picker_created(&r->picker, 0, 0, weight_of(r, 0));
}

static void run_plan(run *r, const tsl_vm_program *program, const tsl_plan *plan,
                     tsl_events *events) {
    r->plan = plan;
    r->events = events;
    r->item = r->self = r->stays = r->left = r->outcome = r->sleep.n = 0;
    r->steps = 0;
    r->in_tail = false;
    r->parent = NOBODY;
    tsl_vec_clear(events);
    begin_sample(r, plan);
    tsl_vm_given given = given_by(plan, program);
    tsl_vm_begin(&r->m, program, plan->flags & TSL_PLAN_SPURIOUS, &given, events);
    r->m.spinning = plan->flags & TSL_PLAN_SPIN_ENDS ? TSL_VM_SPIN_ENDS : TSL_VM_SPIN_GOES_ON;
    while (!r->outcome) {
        if (plan->max_steps && r->steps >= plan->max_steps)
            r->outcome = TSL_OUT_STEP_LIMIT;
        else
            run_step(r);
    }
    tsl_vm_note_pending(&r->m, events);
}

// ---------------------------------------------------------------- the Trace

static unsigned parent_of(const tsl_vm_program *p, unsigned child) {
    for (unsigned t = 0; t < p->nthreads; t++)
        for (unsigned i = 0; i < p->threads[t].len; i++)
            if (p->threads[t].ins[i].op == TSL_VM_CREATE && p->threads[t].ins[i].obj == child)
                return p->threads[t].number;
    return 0;
}

static void fill_thread(const run *r, unsigned t, tsl_thread_info *info) {
    tsl_vm_step p = tsl_vm_pending(&r->m, t);
    info->thread = (uint16_t)number_of(r, t);
    info->parent = (uint16_t)parent_of(r->m.program, t);
    info->state = r->m.threads[t].phase == TSL_VM_ENDED ? TSL_THREAD_ENDED
                  : tsl_vm_is_enabled(&r->m, t)         ? TSL_THREAD_READY
                                                        : TSL_THREAD_BLOCKED;
    info->pending = p.kind;
    info->owner = 0xffff;
    info->site = p.site;
    info->object = p.addr;
    info->nframes = 0;
}

static void fill_head(tsl_vm_runner *runner, const run *r) {
    tsl_trace_head *head = &runner->head;
    memset(head, 0, offsetof(tsl_trace_head, message));
    head->message[0] = 0;
    head->seq = runner->seq++;
    head->steps = r->steps;
    head->nevents = (uint32_t)runner->events.len;
    head->outcome = r->outcome;
    head->thread = number_of(r, r->self);
    for (unsigned t = 0; t < r->m.program->nthreads; t++)
        if (r->m.threads[t].phase != TSL_VM_UNBORN)
            fill_thread(r, t, &head->threads[head->nthreads++]);
    head->all_threads = head->nthreads;
    if (head->nthreads <= 1)
        head->flags |= TSL_TRACE_NO_THREADS;
    const tsl_vm_symbols *s = &r->m.symbols;
    head->nnodes = s->follows ? s->n : 0;
    head->flags |= s->too_deep ? TSL_TRACE_DEPTH : 0u;
    for (unsigned t = 0; t < TSL_VM_THREADS; t++)
        head->flags |= s->asked[t] ? TSL_TRACE_INPUTS : 0u;
}

// ---------------------------------------------------------------- the interface

static unsigned runner_room(void *self) { return SLOTS - (unsigned)((tsl_vm_runner *)self)->count; }

static unsigned runner_in_flight(void *self) { return (unsigned)((tsl_vm_runner *)self)->count; }

static bool runner_submit(void *self, const tsl_plan *plan, tsl_err *err) {
    tsl_vm_runner *runner = self;
    if (runner->count == SLOTS)
        return tsl_fail(err, TSL_ELIMIT, "no room for another plan");
    tsl_plan_copy(&runner->plans[(runner->first + runner->count++) % SLOTS], plan);
    return true;
}

static bool runner_collect(void *self, tsl_trace *trace, tsl_err *err) {
    tsl_vm_runner *runner = self;
    if (!runner->count)
        return tsl_fail(err, TSL_ELIMIT, "no plan is in flight");
    const tsl_plan *plan = &runner->plans[runner->first];
    run_plan(&runner->run, runner->program, plan, &runner->events);
    fill_head(runner, &runner->run);
    runner->first = (runner->first + 1) % SLOTS;
    runner->count--;
    *trace = (tsl_trace){.head = &runner->head,
                         .events = runner->events.data,
                         .nevents = runner->events.len,
                         .nodes = runner->run.m.symbols.nodes,
                         .nnodes = runner->head.nnodes};
    return true;
}

tsl_vm_runner *tsl_vm_runner_new(void) {
    tsl_vm_runner *runner = tsl_alloc(sizeof *runner);
    for (unsigned i = 0; i < SLOTS; i++)
        tsl_plan_init(&runner->plans[i]);
    return runner;
}

void tsl_vm_runner_free(tsl_vm_runner *runner) {
    for (unsigned i = 0; i < SLOTS; i++)
        tsl_plan_drop(&runner->plans[i]);
    tsl_vec_drop(&runner->events);
    tsl_free(runner);
}

void tsl_vm_runner_load(tsl_vm_runner *runner, const tsl_vm_program *program) {
    runner->program = program;
    runner->first = runner->count = 0;
    runner->seq = 0;
}

tsl_runner tsl_vm_runner_interface(tsl_vm_runner *runner) {
    return (tsl_runner){.self = runner,
                        .workers = 1,
                        .room = runner_room,
                        .in_flight = runner_in_flight,
                        .submit = runner_submit,
                        .collect = runner_collect};
}

uint64_t tsl_vm_runner_outline(const tsl_vm_runner *runner) {
    return tsl_vm_outline(&runner->run.m);
}

uint64_t tsl_vm_runner_final(const tsl_vm_runner *runner) { return tsl_vm_state(&runner->run.m); }
