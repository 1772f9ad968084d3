// What state is a synchronisation object in, and who could take a step on it?
//
// Kept per touch as one number, so that going back in a history needs no undoing:
//
//     mutex, spin lock   owner's number + 1, levels << 16; 0: free
//     rwlock             bit 31: a writer has it; else the number of readers
//     semaphore          its value; bit 31: it was destroyed
//     once               0 new, 1 running, 2 done
//     barrier            number of the round the touch belongs to, << 1; bit 0: it filled it
//     thread             1: ended
//     request flag       1: set
//     condition, futex   how many wait
//     channel            bit 0: reading would not block; bit 1: writing would.  As the runtime saw it
#ifndef TSL_MODEL_STATE_H
#define TSL_MODEL_STATE_H

#include "model/step.h"

// The state after an access by `thread`.
uint32_t tsl_state_after(uint32_t state, const tsl_access *access, unsigned thread);

// Could a step of this kind run in that state?
bool tsl_state_enabled(uint32_t state, unsigned kind, unsigned thread);

// The role an access of this kind would have in that state.  UNKNOWN: that depends on
// values in memory.
enum tsl_predicted { TSL_PREDICT_READ, TSL_PREDICT_CHANGE, TSL_PREDICT_UNKNOWN };
enum tsl_predicted tsl_state_predict(uint32_t state, unsigned kind);

static inline uint32_t tsl_state_round(uint32_t state) { return (state >> 1) + (state & 1); }

#endif
