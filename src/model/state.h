// What state is a synchronisation object in, and which steps could be taken on it?
//
// The state is one number, kept with each touch, so that a history that is cut needs no undoing:
//
//     mutex, spin lock   owner's number + 1, levels << 16; 0 if free
//     rwlock             bit 31 if a writer has it, else the number of readers
//     semaphore          its value; bit 31 if it was destroyed
//     once               0 new, 1 running, 2 done
//     barrier            number of the touch's round << 1; bit 0 if the touch completed the round
//     thread             1 if it has ended
//     request flag       1 if it is set
//     condition, futex   how many threads wait
//     channel            bit 0 if reading would not block, bit 1 if writing would; the runtime
//                        records both
#ifndef TSL_MODEL_STATE_H
#define TSL_MODEL_STATE_H

#include "model/step.h"

// The state after an access by `thread`.
uint32_t tsl_state_after(uint32_t state, const tsl_access *access, unsigned thread);

// Could a step of this kind run in that state?
bool tsl_state_enabled(uint32_t state, unsigned kind, unsigned thread);

// The role that an access of this kind would have in that state.  UNKNOWN means that it depends on
// values in memory.
enum tsl_predicted { TSL_PREDICT_READ, TSL_PREDICT_CHANGE, TSL_PREDICT_UNKNOWN };
enum tsl_predicted tsl_state_predict(uint32_t state, unsigned kind);

// The round of a barrier to which the next arrival belongs.
static inline uint32_t tsl_state_round(uint32_t state) { return (state >> 1) + (state & 1); }

#endif
