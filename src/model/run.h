// What did a run do, step by step?
//
// A Trace lies in memory that the program under test can write to, so it is not trusted.
// tsl_run_take copies the events and checks each: its kind must exist and its thread must be
// possible, and so must everything that its notes name.  A Trace with an event that makes no sense
// becomes a run without events.  Strategies and reports read runs.  Only the files of trace/ and
// model/ know how an event is encoded; tools/check-layers checks that.
//
// A run answers four questions.  Each is asked at a position, which is a number of events:
//
//     tsl_run_step       what is the next step, and what does it access, choose and wake?
//     tsl_run_enabled    which threads were enabled there?
//     tsl_run_decision   where is the next input branch, or the next choice of the program?
//     tsl_run_pending    before which steps did the threads stand when the run ended?
#ifndef TSL_MODEL_RUN_H
#define TSL_MODEL_RUN_H

#include "model/step.h"

typedef struct tsl_run {
    const tsl_trace_head *head; // of the Trace; read `outcome` below instead of the head's
    tsl_trace trace;            // its events are `copy`, or a part of the copy of another run
    uint32_t outcome;           // enum tsl_outcome; TSL_OUT_RUNTIME for a Trace that made no sense
    tsl_events copy;            // owned; empty if the run borrows its events from another run
    const tsl_events *known;    // the first `nknown` events are the same as these; or NULL
    size_t nknown;
} tsl_run;

// A run that is all zero is empty.  A run is valid until the next take or drop, and as long as the
// head and the expressions of its Trace are.
void tsl_run_drop(tsl_run *run);
// Makes a run of a Trace.  Returns false if some event made no sense, so that the run has no
// events.  `known`, or NULL, are the first events of an earlier run: what is the same as there is
// not checked again.
bool tsl_run_take(tsl_run *run, const tsl_trace *trace, const tsl_events *known);
// Becomes a copy of the events [from, to) of another run, without its head and its nodes.
void tsl_run_copy(tsl_run *run, const tsl_run *other, size_t from, size_t to);

// How many events at the beginnings of the two runs are equal, byte for byte?
size_t tsl_run_common(const tsl_run *a, const tsl_run *b);

// The same run up to that position; it borrows the events.
tsl_run tsl_run_until(const tsl_run *run, size_t position);

// Appends the schedule between two positions, with its choices, to the items of a Plan.
void tsl_run_schedule_to_plan(const tsl_run *run, size_t from, size_t to, tsl_plan *plan);

// The run without those steps at its end that decide nothing, provided that the last thread
// accesses only its own memory there (which tsl_history_skip checks).  The result borrows the
// events.
tsl_run tsl_run_decisive_part(const tsl_run *run);

// ---------------------------------------------------------------- steps

// A step of a run: its event and the notes after it.
typedef struct tsl_step_view {
    tsl_op op;
    uint64_t addr;
    uint16_t res;
    uint16_t choice, nchoices; // nchoices is 0 if the step chose nothing
    uint8_t order;             // of an atomic access: memory_order
    uint32_t site;
    bool ready;         // of a pending step: it could have run (TSL_PENDING_READY)
    size_t event, next; // the position of its event, and the position after its notes
    size_t nwakes;
    tsl_wake wakes[TSL_STEP_WAKES];
} tsl_step_view;

// Does the step belong to the order of the run?  Ends of threads, joins and the exit of main do
// not, because they follow from the other steps; unless a step looks at whether a thread has ended,
// or at what the other threads had done by the exit.
static inline bool tsl_step_decides(const tsl_step_view *step) {
    return step->op.kind != TSL_EV_END &&
           (step->op.kind != TSL_EV_EXIT || step->op.thread || step->op.unknown) &&
           (step->op.kind != TSL_EV_JOIN || step->res || step->op.naccesses > 1);
}

// The position after the last event.
static inline size_t tsl_run_end(const tsl_run *run) { return run->trace.nevents; }

// Reads the first step at or after the position.  Returns false if there is none.
bool tsl_run_step(const tsl_run *run, size_t position, tsl_step_view *step);

// Goes from step to step, for readers that need only the step's own event.  `position` moves to
// after that event.  Returns NULL if there are no more steps.
static inline const tsl_event *tsl_run_next(const tsl_run *run, size_t *position) {
    for (; *position < run->trace.nevents; ++*position)
        if (!tsl_is_note(run->trace.events[*position].kind))
            return &run->trace.events[(*position)++];
    return NULL;
}

// The position of the first step at or after the position, or the end of the run.
size_t tsl_run_behind_notes(const tsl_run *run, size_t position);
// How many steps begin before the position?  With `turns`, input branches are not counted, because
// they take no turn in the schedule.
size_t tsl_run_steps_before(const tsl_run *run, size_t position, bool turns);
// The position of the last step, or of the thread's last step.  Return false if there is none.
bool tsl_run_last_step(const tsl_run *run, size_t *position);
bool tsl_run_last_step_of(const tsl_run *run, unsigned thread, size_t *position);

// The step as one event, for messages.
tsl_event tsl_step_event(const tsl_step_view *step);

// A heap block that the program allocated.
typedef struct tsl_block {
    uint64_t addr, size;
    uint32_t site;
} tsl_block;

// The last allocation that contains the address.  (Blocks are not reused within a run, unless the
// run is very long.)  Returns false if there is none.
bool tsl_run_block(const tsl_run *run, uint64_t addr, tsl_block *block);

// ---------------------------------------------------------------- enabled threads

// The threads that are enabled at a position, in the order of their numbers.
typedef struct tsl_enabled {
    TSL_VEC(uint16_t) threads;
    size_t position;
} tsl_enabled;

void tsl_enabled_drop(tsl_enabled *set);
// Empties the set and moves it back to the beginning of a run.
void tsl_enabled_clear(tsl_enabled *set);
// Moves the set forward to a position.  Only a run whose Plan had TSL_PLAN_ENABLED records which
// threads are enabled.
void tsl_run_enabled(const tsl_run *run, size_t position, tsl_enabled *set);
bool tsl_enabled_has(const tsl_enabled *set, unsigned thread);

// ---------------------------------------------------------------- decisions

// A decision of the program: an input branch, or a choice that the program asked for
// (TEASEL_CHOOSE).  There the run could have gone another way under the same schedule.
typedef struct tsl_decision {
    size_t position; // of its event
    uint16_t thread;
    uint32_t site;
    bool is_branch;
    uint16_t taken;        // of a branch: enum tsl_branch_res; of a choice: the alternative taken
    uint64_t alternatives; // of a choice: how many there are
    uint64_t label;        // of a branch: the label of its condition
} tsl_decision;

// Reads the first decision at or after `*position`, which moves to after the decision.  Returns
// false if there are no more.
bool tsl_run_decision(const tsl_run *run, size_t *position, tsl_decision *decision);
// Was there any choice, of the program or of the schedule (which waiter a signal wakes)?
bool tsl_run_has_choice(const tsl_run *run);

// ---------------------------------------------------------------- the end

// The position of the notes at the end of the run, after the event of the last step.
size_t tsl_run_behind(const tsl_run *run);
// Reads the first pending step at or after `*position`, which moves to after it.  Returns false if
// there are no more.
bool tsl_run_pending(const tsl_run *run, size_t *position, tsl_step_view *step);

// Aborts if a rule of a run is broken; called by tests.
void tsl_run_check(const tsl_run *run);

#endif
