// Reversible races: which earlier steps could the last step have come before?
//
// Two steps e and e' race if they belong to different threads, conflict, e' could have run in place
// of e, and no other such step lies between them in happens-before (thesis 3.2, the race relation;
// Abdulla et al., POPL 2014).  Then e is a *partner* of e'.
//
// Blocking makes this subtle.  A lock depends on the unlock that lets it through, but could not
// have come before it; its partner is the earlier *lock*.  So for a step e' that can block, the
// touches of its object are walked backwards:
//
//     for t in touches of the object before e', latest first:
//         t happens before e' even without this object:  so does everything before t; stop
//         e' is enabled in the state before t:           the step of t is a partner
//
// Last, partners that happen before another partner are dropped.
#ifndef TSL_MODEL_RACE_H
#define TSL_MODEL_RACE_H

#include "model/history.h"
#include "model/state.h"

typedef struct tsl_race {
    uint32_t first;
    // An object whose later touches must be left out together with `first`, because they, too,
    // would block the second step (several readers before a writer); or TSL_NONE.
    uint32_t without;
} tsl_race;

typedef TSL_VEC(tsl_race) tsl_race_list;

// May the last step have a partner?  This is a cheap test: most steps touch what no other thread
// has touched.
static inline bool tsl_race_may_be(const tsl_history *h) {
    const tsl_step *step = &h->steps.data[h->steps.len - 1];
    if (h->deps.len)
        return step->kind != TSL_EV_START && (step->kind != TSL_EV_EXIT || step->unknown);
    return tsl_state_blocks(step->kind) && step->touches < h->touches.len &&
           h->touches.data[step->touches].prev != TSL_NONE;
}

// Finds the partners of the step appended last, latest first.
void tsl_race_find(const tsl_history *h, tsl_race_list *out);

// The second step is the one appended last, and is to run in place of the first.  Fills `out` with
// the steps that run before it then: those later than `race->first` that do not happen after it,
// nor after what must be left out, without the second step itself.  Returns false if the second
// step needs something that would have to be left out.
bool tsl_race_rest(const tsl_history *h, const tsl_race *race, tsl_step_list *out);

// The same up to the end of the history.  `second` is any step, or TSL_NONE if the second step is
// not part of the history: it was pending when the run ended, or might have run in place of the
// first.
void tsl_race_rest_of_all(const tsl_history *h, const tsl_race *race, uint32_t second,
                          tsl_step_list *out);

// The second step as it would be in place of the first: its roles may change with its result.
// Returns false if what it does there depends on values in memory, so that `op` is only a guess.
bool tsl_race_second(const tsl_history *h, const tsl_race *race, const tsl_step_list *rest,
                     tsl_op *op);

// Finds a data race between two operations: accesses of the same bytes, at least one of them a
// write and at least one plain.  Only their kinds count.  Returns false if there is none.
bool tsl_race_of(const tsl_op *a, const tsl_op *b, tsl_access *x, tsl_access *y);

// The same for two steps of the history.
bool tsl_race_is_data(const tsl_history *h, uint32_t a, uint32_t b);
// Is one of the two a call of unknown code that is handed bytes which the other accesses?  Whether
// they race can't be known.
bool tsl_race_is_touched(const tsl_history *h, uint32_t a, uint32_t b);
// May one of the last two functions return true for this step and some other?
static inline bool tsl_race_may_be_data(const tsl_history *h, uint32_t s) {
    uint32_t end = tsl_step_accesses_end(h, s);
    for (uint32_t i = h->steps.data[s].accesses; i < end; i++)
        if (tsl_is_memory(h->accesses.data[i].kind))
            return true;
    return false;
}
// Is the step one atomic access and nothing else?  Two such steps are no data race.
static inline bool tsl_race_is_one_atomic(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    return tsl_is_atomic(step->kind) && tsl_step_accesses_end(h, s) == step->accesses + 1;
}

#endif
