// A run: what a Trace shows, checked once and read step by step.
//
// A Trace lies in memory that the program under test can write to, so nothing in it is believed.
// tsl_run_take copies its events and looks at each: every event has a kind that exists and a thread
// that can exist, and so has everything that its notes name.  A Trace with an event that makes no
// sense becomes a run without events.  Strategies and reports read runs; only the files
// of trace/ and model/ know what an event looks like, and tools/check-layers holds them to that.
//
// A run is read through four questions, each answered at a position (a number of events):
//
//     tsl_run_step       the next step, with all that it accesses, chooses and wakes
//     tsl_run_enabled    which threads could have run there
//     tsl_run_decision   the next point where an input or the program itself chose the way
//     tsl_run_pending    the steps that threads stood before when the run ended
#ifndef TSL_MODEL_RUN_H
#define TSL_MODEL_RUN_H

#include "model/step.h"

typedef struct tsl_run {
    const tsl_trace_head *head; // of the Trace; its outcome is not asked for, but the one below
    tsl_trace trace;            // its events are the checked copy below, or a part of it
    uint32_t outcome; // enum tsl_outcome; a run that made no sense ended by TSL_OUT_RUNTIME
    tsl_events copy;  // owned; empty if the run borrows its events from another one
} tsl_run;

// All zero is an empty run.  A run is valid until the next take or drop, and as long as the head and
// the nodes of its Trace are.
void tsl_run_drop(tsl_run *run);
// False: some event made no sense, so the run has none.
bool tsl_run_take(tsl_run *run, const tsl_trace *trace);
// Becomes a copy of the events [from, to) of another run, without its head and its nodes.
void tsl_run_copy(tsl_run *run, const tsl_run *other, size_t from, size_t to);

// How many events at their beginnings are the same ones, byte for byte.
size_t tsl_run_common(const tsl_run *a, const tsl_run *b);

// The same run up to that position; it borrows the events.
tsl_run tsl_run_until(const tsl_run *run, size_t position);

// Appends who ran when between two positions, and what was chosen, to the items of a Plan.
void tsl_run_schedule_to_plan(const tsl_run *run, size_t from, size_t to, tsl_plan *plan);

// The run without the steps at its end that decide nothing, if what the last thread accesses there
// is its own (tsl_history_skip).  It borrows the events.
tsl_run tsl_run_decisive_part(const tsl_run *run);

// ---------------------------------------------------------------- steps

// A step of a run: its event and the notes behind it.
typedef struct tsl_step_view {
    tsl_op op;
    uint64_t addr;
    uint16_t res;
    uint16_t choice, nchoices; // nchoices is 0 if the step chose nothing
    uint8_t order;             // of an atomic access: memory_order
    uint32_t site;
    bool ready;         // of a pending step: it could have run (TSL_PENDING_READY)
    size_t event, next; // the position of its event, and the one behind its notes
    size_t nwakes;
    tsl_wake wakes[TSL_STEP_WAKES];
} tsl_step_view;

// Ends of threads, joins and the exit of main follow from the rest of the run, and decide nothing,
// unless some step looks at whether a thread has ended, or at what the others had done by the exit.
static inline bool tsl_step_decides(const tsl_step_view *step) {
    return step->op.kind != TSL_EV_END &&
           (step->op.kind != TSL_EV_EXIT || step->op.thread || step->op.unknown) &&
           (step->op.kind != TSL_EV_JOIN || step->res || step->op.naccesses > 1);
}

// The position behind the last event.
static inline size_t tsl_run_end(const tsl_run *run) { return run->trace.nevents; }

// Reads the first step at or behind the position.  False: there is none.
bool tsl_run_step(const tsl_run *run, size_t position, tsl_step_view *step);

// For readers that need no more of a step than its own event: goes from step to step.  `position`
// moves behind the event.  NULL: there are no more steps.
static inline const tsl_event *tsl_run_next(const tsl_run *run, size_t *position) {
    for (; *position < run->trace.nevents; ++*position)
        if (!tsl_is_note(run->trace.events[*position].kind))
            return &run->trace.events[(*position)++];
    return NULL;
}

// The position of the first step at or behind the position, or the end of the run.
size_t tsl_run_behind_notes(const tsl_run *run, size_t position);
// How many steps begin before the position; `turns`: without those that take no turn (BRANCH).
size_t tsl_run_steps_before(const tsl_run *run, size_t position, bool turns);
// The position of the last step, or of the thread's last step.  False: there is none.
bool tsl_run_last_step(const tsl_run *run, size_t *position);
bool tsl_run_last_step_of(const tsl_run *run, unsigned thread, size_t *position);

// The step as one event, for messages.
tsl_event tsl_step_event(const tsl_step_view *step);

// A heap block that the program allocated.
typedef struct tsl_block {
    uint64_t addr, size;
    uint32_t site;
} tsl_block;

// The last allocation that holds the address: blocks are not reused within a run, but a long run may
// come back to one.  False: there is none.
bool tsl_run_block(const tsl_run *run, uint64_t addr, tsl_block *block);

// ---------------------------------------------------------------- enabled threads

// The threads that can run at a position, in the order of their numbers.
typedef struct tsl_enabled {
    TSL_VEC(uint16_t) threads;
    size_t position;
} tsl_enabled;

void tsl_enabled_drop(tsl_enabled *set);
// Makes it the set of an empty run at its beginning.
void tsl_enabled_clear(tsl_enabled *set);
// Moves the set on to a position that is not before its own.  (A run tells who is enabled if its
// Plan had TSL_PLAN_ENABLED.)
void tsl_run_enabled(const tsl_run *run, size_t position, tsl_enabled *set);
bool tsl_enabled_has(const tsl_enabled *set, unsigned thread);

// ---------------------------------------------------------------- decisions

// A point where the run could have gone on in another way under the same schedule: a branch that
// depends on inputs, or a choice that the program asked for (TEASEL_CHOOSE).
typedef struct tsl_decision {
    size_t position; // of its event
    uint16_t thread;
    uint32_t site;
    bool is_branch;
    uint16_t taken;        // of a branch: enum tsl_branch_res; else the number of the alternative
    uint64_t alternatives; // of a choice
    uint64_t label;        // of a branch: the node of its condition
} tsl_decision;

// The first decision at or behind `*position`, which moves behind it.  False: there are no more.
bool tsl_run_decision(const tsl_run *run, size_t *position, tsl_decision *decision);
// Was there any choice, of the program or of the schedule (a signal that chose among waiters)?
bool tsl_run_has_choice(const tsl_run *run);

// ---------------------------------------------------------------- the end

// Where the notes at the end begin, behind the last step.
size_t tsl_run_behind(const tsl_run *run);
// Reads the pending step at or behind `*position`, which moves behind it.  False: there are no more.
bool tsl_run_pending(const tsl_run *run, size_t *position, tsl_step_view *step);

// Aborts if a rule of a run is broken; called by tests.
void tsl_run_check(const tsl_run *run);

#endif
