// What would run if a race were the other way round, and with what could it begin?
//
//     v  =  the steps behind e that do not happen after e, then e'
//
// from the node before e.  A step of v is an initial if nothing in v happens before it: it
// could come first.  (Abdulla et al., POPL 2014.)
//
// If e' grows (a compare-and-swap that failed and would succeed), steps behind it that commute
// with it in this run may have to come before it in v, but nobody looks for them: they do
// not race.  Then what sleeps before e, e' being an initial, does not stand for all of v.
//
// Answers are on the safe side: where a conflict depends on a result not known yet, there
// is one.
#ifndef TSL_EXPLORE_REVERSAL_H
#define TSL_EXPLORE_REVERSAL_H

#include "model/race.h"

typedef struct tsl_reversal {
    const tsl_history *h;
    const tsl_step_list *rest; // all of v but e'
    size_t n;                  // length of v
    tsl_op last;               // e', as it would be
    bool sure;                 // that is what it will do; false: its result may differ
    bool grows;                // it may change what it only looked at: see below
    uint32_t woken_by;         // the step that lets e' run, or TSL_NONE
    uint32_t without;          // the arrival e' races with and that is gone, or TSL_NONE
} tsl_reversal;

// Of a race of the last step; fills `rest`.  False: the race can't be reversed.
bool tsl_reversal_of_race(tsl_reversal *v, const tsl_history *h, const tsl_race *race,
                          tsl_step_list *rest);
// A step that could have run before step s, given what does not happen after s; fills `rest`.
void tsl_reversal_of_op(tsl_reversal *v, const tsl_history *h, uint32_t s, const tsl_op *op,
                        tsl_step_list *rest);

tsl_op tsl_reversal_op(const tsl_reversal *v, size_t i);
bool tsl_reversal_initial(const tsl_reversal *v, size_t i);
// Does a step of the thread begin v, or could it?
bool tsl_reversal_begins(const tsl_reversal *v, unsigned thread);

#endif
