// A Trace: everything a run shows; see trace.h.
#include "trace/trace.h"

#include "trace/input.h"

#include "base/hash.h"

// ---------------------------------------------------------------- tables

static const struct {
    const char *name, *awaited;
} event_words[] = {
#define TSL_EVENT(name, text, class, ro, ob, ty, re, bl, wh, en, ne, ch, or, tw, awaited, doc)     \
    {text, awaited},
#include "abi/events.def"
#undef TSL_EVENT
};

static const struct {
    const char *kind, *headline;
    bool is_bug;
} outcome_table[] = {
#define TSL_OUTCOME(name, text, is_bug, headline) {text, headline, is_bug},
#include "abi/outcome.def"
#undef TSL_OUTCOME
};

const char *tsl_event_name(unsigned kind) {
    return kind < TSL_EV_COUNT ? event_words[kind].name : "unknown";
}

const char *tsl_event_awaited(unsigned kind) {
    bool has_words = kind < TSL_EV_COUNT && event_words[kind].awaited[0];
    return has_words ? event_words[kind].awaited : tsl_event_name(kind);
}

enum tsl_event_class tsl_event_class(unsigned kind) {
    return kind < TSL_EV_COUNT ? (enum tsl_event_class)tsl_event_row_of(kind)->class_
                               : TSL_CLASS_NOTE;
}

bool tsl_event_is_step(unsigned kind) { return tsl_event_class(kind) != TSL_CLASS_NOTE; }

const char *tsl_outcome_kind(unsigned outcome) {
    return outcome < TSL_OUT_COUNT ? outcome_table[outcome].kind : "unknown";
}

const char *tsl_outcome_headline(unsigned outcome) {
    return outcome < TSL_OUT_COUNT ? outcome_table[outcome].headline : "unknown outcome";
}

bool tsl_outcome_is_bug(unsigned outcome) {
    return outcome < TSL_OUT_COUNT && outcome_table[outcome].is_bug;
}

bool tsl_outcome_stops(unsigned outcome) {
    return tsl_outcome_is_bug(outcome) && outcome != TSL_OUT_DEADLOCK &&
           outcome != TSL_OUT_LIVELOCK;
}

// ---------------------------------------------------------------- meaning

// A CHOICE note stands right behind the step it belongs to.
bool tsl_trace_chose(const tsl_trace *trace, size_t i) {
    return i > 0 && trace->events[i].kind == TSL_EV_CHOICE &&
           trace->events[i - 1].kind == TSL_EV_CHOOSE;
}

uint64_t tsl_trace_hash(const tsl_trace *trace) {
    const tsl_trace_head *head = trace->head;
    // Events have no padding, so their bytes are their value.
    uint64_t hash = tsl_hash(trace->events, trace->nevents * sizeof *trace->events);
    hash = tsl_hash_u64(hash, head->outcome);
    hash = tsl_hash_u64(hash, (uint32_t)head->exit_status);
    hash = tsl_hash_u64(hash, (uint32_t)head->signal);
    hash = tsl_hash_u64(hash, head->output_total);
    size_t tail = head->output_bytes < TSL_OUTPUT ? head->output_bytes : TSL_OUTPUT;
    return tsl_hash_more(hash, head->output, tail);
}

// The runtime takes a CHOICE item while it executes the step that chooses, so that step counts in
// the RUN item in front of it.  tsl_plan_step begins a new RUN item behind a CHOICE by itself.
void tsl_trace_schedule_to_plan(const tsl_trace *trace, tsl_plan *out) {
    for (size_t i = 0; i < trace->nevents; i++) {
        const tsl_event *event = &trace->events[i];
        if (event->kind == TSL_EV_BRANCH) // takes no turn
            continue;
        if (event->kind == TSL_EV_CHOICE)
            tsl_plan_choice(out, event->res);
        else if (tsl_event_is_step(event->kind))
            tsl_plan_step(out, event->thread);
    }
}

void tsl_trace_to_plan(const tsl_trace *trace, const tsl_plan *ran, tsl_plan *out) {
    out->seed = ran->seed;
    out->max_steps = ran->max_steps;
    // The Plan will hold the whole schedule, so that no sampler must decide it again.  The random
    // walk is kept: it needs only a seed, and so a program that is started alone knows it, too.
    bool keeps = !tsl_policy_samples(ran->policy) || ran->policy == TSL_POLICY_RANDOM;
    out->policy = keeps ? ran->policy : TSL_POLICY_STAY;
    out->flags = ran->flags & ~(uint32_t)TSL_PLAN_POINTS;
    out->input_seed = ran->input_seed;
    out->max_branches = ran->max_branches;
    tsl_vec_clear(&out->items);
    tsl_vec_clear(&out->sleep);
    if (trace->nevents == 0) { // they are lost with the process: the Plan's own prefix must do
        tsl_plan_copy(out, ran);
        return;
    }
    if (trace->nnodes)
        tsl_trace_inputs_to_plan(trace, out);
    else
        tsl_plan_copy_inputs(out, ran);
    tsl_trace_schedule_to_plan(trace, out);
}
