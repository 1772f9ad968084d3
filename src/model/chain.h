// Why did one step of a run come before another?
//
// The answer is the shortest chain of direct dependences from the first step to the second: each
// link is program order, a conflict between two threads, or a wakeup.  Of that chain only the steps
// at which it changes threads are reported.
#ifndef TSL_MODEL_CHAIN_H
#define TSL_MODEL_CHAIN_H

#include "model/history.h"

// Fills `events` with the positions of the reported steps, first to last, without `first` and
// `second` themselves.  The list is empty if `first` does not happen before `second`.  Both are
// numbers of steps.
void tsl_chain_find(const tsl_run *run, uint32_t first, uint32_t second, tsl_step_list *events);

#endif
