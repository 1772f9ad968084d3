// Reversible races: which earlier steps could the last step have come before?
//
// e and e' race when they are of different threads, conflict, e' could run where e did, and no
// other such step lies between them in happens-before (thesis 3.2, the race relation;
// Abdulla et al., POPL 2014).  Blocking makes it subtle.  A lock depends on the unlock
// that lets it through but could not have come before that; its partner is the earlier
// *lock*.  So for a step that can block, the touches of its object are walked back until
// a state is found in which it could have run:
//
//     for t in touches of the object before e', latest first:
//         t in the past of e' without this object:   everything before is, too: stop
//         e' enabled in the state before t:          a partner
//
// and of all partners those that happen before another one are dropped.
#ifndef TSL_MODEL_RACE_H
#define TSL_MODEL_RACE_H

#include "model/history.h"
#include "model/state.h"

typedef struct tsl_race {
    uint32_t first;
    // Steps that would keep the second one from running and must be left out with it
    // (several readers before a writer), on this object; TSL_NONE: none.
    uint32_t without;
} tsl_race;

typedef TSL_VEC(tsl_race) tsl_race_list;

// Is it worth looking?  Most steps touch what nobody else has touched.
static inline bool tsl_race_may_be(const tsl_history *h) {
    const tsl_step *step = &h->steps.data[h->steps.len - 1];
    if (h->deps.len)
        return step->kind != TSL_EV_START && (step->kind != TSL_EV_EXIT || step->unknown);
    return tsl_state_blocks(step->kind) && step->touches < h->touches.len &&
           h->touches.data[step->touches].prev != TSL_NONE;
}

// The partners of the step appended last, in the order of the execution, latest first.
void tsl_race_find(const tsl_history *h, tsl_race_list *out);

// The steps behind `race->first` that do not happen after it (nor after what is to be
// left out), without the last one: what is to run before the second one instead.
// False: the second one can't do without what would have to be left out.
bool tsl_race_rest(const tsl_history *h, const tsl_race *race, tsl_step_list *out);

// The same, but up to the end of the execution; `second` is any step, or none of them
// (it stood there when the run ended, or might have run instead of the first).
void tsl_race_rest_of_all(const tsl_history *h, const tsl_race *race, uint32_t second,
                          tsl_step_list *out);

// The second one as it would be if it ran there: its role may change with its result.
// False: what it does there depends on values in memory.
bool tsl_race_second(const tsl_history *h, const tsl_race *race, const tsl_step_list *rest,
                     tsl_op *op);

// Two accesses of theirs that touch the same bytes, one writing, not both atomic; by their
// kinds alone.  False: there are none.
bool tsl_race_of(const tsl_op *a, const tsl_op *b, tsl_access *x, tsl_access *y);

// Do the two steps, both of the history, access the same bytes, one writing, not both atomic?
bool tsl_race_is_data(const tsl_history *h, uint32_t a, uint32_t b);
// Is one of them a call of unknown code that is handed bytes which the other accesses?  Whether that is a race nobody
// knows.
bool tsl_race_is_touched(const tsl_history *h, uint32_t a, uint32_t b);
// Could either be so for some other step and this one?
bool tsl_race_may_be_data(const tsl_history *h, uint32_t s);
// An atomic access and nothing else: two such steps are no data race.
static inline bool tsl_race_is_one_atomic(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    return tsl_is_atomic(step->kind) && tsl_step_accesses_end(h, s) == step->accesses + 1;
}

#endif
