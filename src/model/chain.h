// Why did one step of a run come before another?
//
// The shortest way from the one to the other through direct dependences: program order, and steps
// of different threads that conflict or wake.  What is told of the way are the steps at which it goes
// from one thread to another.
#ifndef TSL_MODEL_CHAIN_H
#define TSL_MODEL_CHAIN_H

#include "model/history.h"

// Steps of the Trace, by the places of their events, first to last, without the two.  Empty if the
// first does not happen before the second.  `first` and `second` are numbers of steps.
void tsl_chain_find(const tsl_run *run, uint32_t first, uint32_t second, tsl_step_list *events);

#endif
