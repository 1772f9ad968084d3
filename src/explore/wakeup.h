// What would run if a race were the other way round?
//
//     v  =  the steps behind e that do not happen after e, then e'
//
// from the node before e: a wakeup sequence.  (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic
// partial order reduction; POPL 2014, JACM 2017.)
//
// A step of v is an initial if nothing in v happens before it: it could come first.  The next step
// of a thread is a weak initial of v if it is an initial, or if the thread has no step in v and the
// step commutes with all of v: it could be run first without leaving the order that v leads to.
// Whatever is explored behind a weak initial covers v.
//
// A sequence has one of three forms, which answer the same questions:
//
//     quick    read off the history's clocks.  No list is made, so most sequences, which are
//              covered by something, cost little.  This form knows no choices, no results in doubt
//              and no arrivals at barriers: then the answer is "unknown", and v is listed
//     listed   the steps of the history that are part of v, one by one
//     stored   on its own: the sequence outlives its run, because it waits for a result
//
// Where a conflict depends on a result that is not known yet, the answer is "unknown".
#ifndef TSL_EXPLORE_WAKEUP_H
#define TSL_EXPLORE_WAKEUP_H

#include "explore/plan.h"
#include "explore/tree.h"

enum tsl_answer {
    TSL_ANSWER_NO,
    TSL_ANSWER_YES,
    TSL_ANSWER_UNKNOWN,
    TSL_ANSWER_OTHER_CHOICE // yes, but for another alternative of a choice
};

static inline enum tsl_answer tsl_answer_of(bool yes) {
    return yes ? TSL_ANSWER_YES : TSL_ANSWER_NO;
}

// A stored sequence waits at a node until a result that it depends on is known.
typedef struct tsl_doubt {
    struct tsl_doubt *next;
    uint32_t n;
    bool last_is_sure, risky;
    uint32_t inputs; // that lead there, as far as it goes; held
    bool *before;    // n * n: does the one step happen before the other?
    tsl_hop *hops;
    tsl_op ops[];
} tsl_doubt;

// A race that is to be reversed once its run has been read.
typedef struct tsl_reversal {
    tsl_race race;
    uint32_t at;               // the step that the race was found at
    uint32_t second, woken_by; // steps or TSL_NONE
    uint32_t settled; // nothing is to be done while the steps up to this one stay, or TSL_NONE
    bool sure;        // op is what e' will do
    bool as_was;      // and what e' did in the run
    tsl_op op;        // e'
} tsl_reversal;

typedef TSL_VEC(tsl_reversal) tsl_reversal_list;

// The reversals of a cursor, for rules that keep them.  Those found at a step that is cut off the
// history are dropped with it.
tsl_reversal_list *tsl_cursor_reversals(tsl_cursor *cursor);
// Keeps the races of the last step.  `pending`: the step never ran.
void tsl_reversals_keep(tsl_tree *tree, tsl_cursor *cursor, const tsl_race_list *races,
                        bool pending);

// Memory of the one sequence that is looked at, used again for the next one.
typedef struct tsl_wakeup_room {
    tsl_step_list steps;
    TSL_VEC(bool) gone;
    TSL_VEC(uint32_t) gone_of;
    TSL_VEC(bool) keep;
    TSL_VEC(const tsl_op *) awaken; // sleeps at the node or on the way down: v has to wake it
    tsl_op last;
} tsl_wakeup_room;

void tsl_wakeup_room_drop(tsl_wakeup_room *room);

// A step of v is named by its place: in the quick form the number of the step in the history, else
// its index in the list.  The place of e' is n - 1; n is the place of a step that v does not have.
typedef struct tsl_wakeup {
    size_t n;
    const tsl_op *last; // e' as it would be
    bool last_is_sure;  // e' will do that; false: its result may differ
    bool grows;         // e' may change what it only looked at in the run; see tsl_wakeup_of_race
    bool quick;         // the quick form
    uint32_t inputs;    // that lead to the end of v
    tsl_wakeup_room *room;
    const tsl_doubt *doubt; // of the stored form, else NULL
    // Of the others: the history, and whose it is; e; e' in the run, or TSL_NONE, of the listed form
    // only if e' does in v what it did there, which as_was says of the quick form.
    const tsl_history *h;
    const tsl_cursor *cursor;
    uint32_t first, second;
    bool as_was;
    uint32_t woken_by;     // the step that lets e' run, or TSL_NONE
    uint32_t without;      // the arrival that e' races with and that is gone, or TSL_NONE
    const uint32_t *steps; // of the listed form: all but e'
    // What edges on the way down the wakeup tree have covered is gone.  Of the quick form: of each
    // slot, the index of the last step that is gone, as are those before it.
    bool *gone;
    size_t from; // all in front of this place are gone
    uint32_t *gone_of;
    bool last_is_gone;
    // The last step of the history that an edge stands for, and whether some edge stands for none.
    uint32_t used;
    bool strange;
} tsl_wakeup;

// ---------------------------------------------------------------- making

// Of a race of the last step, listed; only steps in front of e' are part of v.  False: the race
// can't be reversed.
//
// If e' grows (a compare-and-swap that failed and would succeed), steps behind e' that commute with
// it in this run may have to come before it in v, but nothing looks for them, because they do not
// race.  Then what sleeps before e, e' being an initial, does not cover all of v.
bool tsl_wakeup_of_race(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, const tsl_race *race);
// Of a step that could have run before step s, listed.
void tsl_wakeup_of_op(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, uint32_t s,
                      const tsl_op *op);
// Of a reversal, listed; all steps of the run may be part of v.
void tsl_wakeup_listed(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, const tsl_reversal *r);
// A quick sequence becomes a listed one; what is gone stays gone.
void tsl_wakeup_list(tsl_wakeup *v);
// Stores what is left of a listed one; and a stored one, which is borrowed.
tsl_doubt *tsl_wakeup_store(const tsl_wakeup *v);
void tsl_wakeup_stored(tsl_wakeup *v, tsl_tree *tree, const tsl_doubt *doubt);

// ---------------------------------------------------------------- asking

// These are questions to listed and stored sequences; wakeup_quick.h asks quick ones.

// Is `op`, the next step of its thread at the node, a weak initial of v?  `sure`: the step will do
// that.  `choice`: only if the step has this alternative; TSL_ANY_CHOICE: with any.  `at` becomes
// the place of the step.
enum tsl_answer tsl_wakeup_covers(const tsl_wakeup *v, const tsl_op *op, bool sure, unsigned choice,
                                  size_t *at);
tsl_op tsl_wakeup_op(const tsl_wakeup *v, size_t i);
tsl_hop tsl_wakeup_hop(const tsl_wakeup *v, size_t i);
// The place of the first step of the thread that is left, or n.
size_t tsl_wakeup_next(const tsl_wakeup *v, unsigned thread);
// Does step i happen before step k, i < k?
enum tsl_answer tsl_wakeup_before(const tsl_wakeup *v, size_t i, size_t k);
bool tsl_wakeup_is_initial(const tsl_wakeup *v, size_t i);
// Is the first step of the thread an initial?
bool tsl_wakeup_begins(const tsl_wakeup *v, unsigned thread);

// ---------------------------------------------------------------- walking

// An edge stands for the step at this place, or for a step that v does not have: from now on the
// race stays settled only while the step stays.
static inline void tsl_wakeup_use(tsl_wakeup *v, size_t at) {
    if (at == v->n)
        v->strange = true;
    else if (at + 1 < v->n && !v->doubt) {
        uint32_t step = v->quick ? (uint32_t)at : v->steps[at];
        v->used = step > v->used ? step : v->used;
    }
}
// As use; and the walk goes on behind the edge.
void tsl_wakeup_go_past(tsl_wakeup *v, size_t at);

// ---------------------------------------------------------------- inserting (wakeup_insert.c)

// Adds the sequence of the race to the wakeup tree that hangs from the node before e, unless
// something there covers it.
void tsl_wakeup_insert(tsl_tree *tree, tsl_cursor *c, tsl_reversal *r);
// A result has become known, perhaps: looks at what waits for it.
void tsl_wakeup_settle(tsl_tree *tree, tsl_tree_node *node);

#endif
