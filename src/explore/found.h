// Two accesses that race: how they were found, and who is told of them.
#ifndef TSL_EXPLORE_FOUND_H
#define TSL_EXPLORE_FOUND_H

#include "model/race.h"
#include "model/sync.h"

enum tsl_found_how {
    TSL_FOUND_ADJACENT,  // no other step has to come between them
    TSL_FOUND_UNORDERED, // no synchronisation orders them, but one thread may read a value that
                         // decides whether it makes its access at all
    TSL_FOUND_WEAK,    // they may never stand next to each other, but the atomics between them are
                       // too weak to order them
    TSL_FOUND_TOUCHED, // one is a call of unknown code that is handed the memory which the other
                       // accesses: whether they race is not known
    TSL_FOUND_INSIDE   // one reads bytes of a synchronisation object that the other changes: the
                       // other order is not tried (model/inside.h)
};

// Two accesses of one run.
typedef struct tsl_found {
    const tsl_history *history;
    uint32_t first, second; // steps; the second is the last step of the history, except for WEAK
    enum tsl_found_how how;
    const tsl_sync *sync; // what was read of the clocks; only for UNORDERED and WEAK
} tsl_found;

// `found` is called for two accesses that race, and maybe again for the same pair.
typedef struct tsl_race_sink {
    void *self;
    void (*found)(void *self, const tsl_found *found);
} tsl_race_sink;

// Tells the sink which of these partners of the last step race with it, or may race.
void tsl_found_adjacent(const tsl_race_sink *sink, const tsl_history *h,
                        const tsl_race_list *partners);
typedef void tsl_found_by(const tsl_race_sink *sink, const tsl_history *h, tsl_sync *sync,
                          enum tsl_found_how how);
// Reads the clocks of all steps, and tells the sink of the pairs that these do not order.
tsl_found_by tsl_found_by_clocks;
// The same only for the last step, a plain access that the run did not make.  The clocks of the steps
// before it were read.
tsl_found_by tsl_found_pending;

#endif
